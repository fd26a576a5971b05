import { z } from 'zod';

/**
 * The paper's ways to choose rounds from the curves (section 3); linearized goes forward, or backward. Every run has
 * all of them.
 */
export const paperSelections = ['individual', 'common', 'linearized', 'linearized-backward'] as const;

/** All ways; `pooled` is made for the networks that ask for it. */
export const selectionMethods = [...paperSelections, 'pooled'] as const;

export type PaperSelection = (typeof paperSelections)[number];

/**
 * Whether each dimension chose on the validation rows for itself, so that figures of these rows are too good to be
 * compared with others.
 */
export function isChosenByDimension(method: string): boolean {
  return method === 'individual' || method === 'pooled';
}

export type SelectionMethod = (typeof selectionMethods)[number];

export const selectionMethodSchema = z.enum(selectionMethods).meta({
  description: `a selection: ${selectionMethods.join(', ')}`,
});

/**
 * What becomes of the validation rows once they have chosen the rounds. `true`: the kept trees get leaf values from
 * training and validation rows together. `again`: as many trees as were kept are trained from nothing on these rows.
 * `false`: the trees stay as they were trained.
 */
export const refitSchema = z
  .union([z.boolean(), z.literal('again')])
  .meta({ description: "true, false, or 'again': trained again with the chosen rounds" });

export type Refit = z.infer<typeof refitSchema>;

/**
 * What selection and refit choose of a run: one of its up to fifteen networks, or a mixture of so many of its members.
 */
export type NetworkChoice = {
  readonly selection: SelectionMethod;
  readonly refit: Refit;
  /** How many members are mixed; only of runs with members. */
  readonly members?: number;
};

/** What fresh rows favour: libs/families/lbarn/measured.md has the table. */
export const defaultChoice: NetworkChoice = { selection: 'common', refit: true };
