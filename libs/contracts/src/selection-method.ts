import { z } from 'zod';

/** How rounds are chosen from the curves (lbarn.md, "The three selections"); linearized goes forward, or backward. */
export const selectionMethods = ['individual', 'common', 'linearized', 'linearized-backward'] as const;

export type SelectionMethod = (typeof selectionMethods)[number];

export const selectionMethodSchema = z.enum(selectionMethods).meta({
  description: `a selection: ${selectionMethods.join(', ')}`,
});

/** What selection and refit choose of a run: one of its up to eight networks, or a mixture of so many of its members. */
export type NetworkChoice = {
  readonly selection: SelectionMethod;
  readonly refit: boolean;
  /** How many members are mixed; only of runs with members. */
  readonly members?: number;
};

/** What fresh rows favour: libs/selection/README.md has the table. */
export const defaultChoice: NetworkChoice = { selection: 'common', refit: true };
