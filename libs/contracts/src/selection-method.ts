import { z } from 'zod';

/** The paper's ways to choose rounds from the curves (section 3); linearized goes forward, or backward. Every run has all of them. */
export const paperSelections = ['individual', 'common', 'linearized', 'linearized-backward'] as const;

/** All ways; `pooled` is made for the networks that ask for it. */
export const selectionMethods = [...paperSelections, 'pooled'] as const;

export type PaperSelection = (typeof paperSelections)[number];

export type SelectionMethod = (typeof selectionMethods)[number];

export const selectionMethodSchema = z.enum(selectionMethods).meta({
  description: `a selection: ${selectionMethods.join(', ')}`,
});

/** What selection and refit choose of a run: one of its up to ten networks, or a mixture of so many of its members. */
export type NetworkChoice = {
  readonly selection: SelectionMethod;
  readonly refit: boolean;
  /** How many members are mixed; only of runs with members. */
  readonly members?: number;
};

/** What fresh rows favour: libs/selection/README.md has the table. */
export const defaultChoice: NetworkChoice = { selection: 'common', refit: true };
