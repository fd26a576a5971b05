/** The paper's ways to choose the rounds of every dimension (section 3). */
export const paperSelections = ['individual', 'common', 'linearized', 'linearized-backward'] as const;

/** All ways, with one of our own; the words of the command line and the API. */
export const selectionMethods = [...paperSelections, 'pooled'] as const;

export type SelectionMethod = (typeof selectionMethods)[number];

/**
 * Models of growing size that a selection chose among, thinned for plotting: first, last, chosen, and evenly spaced
 * ones between. The likelihoods are summed over the dimensions, in nats over all rows of the split.
 */
export interface SelectionPath {
  /** Ascending; Float64Array because a path may hold more than 2^32 trees. */
  readonly trees: Float64Array;
  readonly train: Float64Array;
  readonly valid: Float64Array;
  /** The index of the chosen model in the three arrays. */
  readonly chosen: number;
}

export interface Selection {
  readonly method: SelectionMethod;
  /** The number of trees kept of every dimension, by stored index. */
  readonly rounds: Uint32Array;
  /** The sum of {@link Selection.rounds}. */
  readonly trees: number;
  /** Summed nats over the training rows at the chosen rounds. */
  readonly trainLogLikelihood: number;
  /** Summed nats over the validation rows at the chosen rounds. */
  readonly validLogLikelihood: number;
  /** What was chosen among; absent for `individual` and `pooled`, which have no order of models. */
  readonly path?: SelectionPath;
  /** The round that all dimensions share, with `common` alone. */
  readonly commonRounds?: number;
}
