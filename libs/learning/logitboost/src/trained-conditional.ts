import type { Ensemble } from '@orchard/model';
import type { Curves } from './curves.js';
import type { DropoutOptions } from './dropout.js';

/**
 * The ensemble of one target and how its likelihoods rose. Unfinished, it is a checkpoint from which training goes on.
 */
export interface TrainedConditional {
  /**
   * How many columns it may look at: for a column as target its 0-based place in the ordering, for a decision
   * `predictors`.
   */
  readonly position: number;
  /** One point more than there were rounds. */
  readonly curves: Curves;
  /**
   * The trees of a start, where it has any, then a tree a round: `ensembleAfter` and `boostedTrees` distinguish them.
   */
  readonly ensemble: Ensemble;
  /** λ of a logistic start; absent where there is none. */
  readonly startPenalty?: number;
  /**
   * Of a start by exclusive columns (`exclusive-start.ts`), the chance that a value is another than they say; absent
   * where there is none.
   */
  readonly exclusiveChance?: number;
  /** Of a single tree, whose ensemble holds counts (`single-tree.ts`); absent where trees are boosted. */
  readonly pseudoCount?: number;
  /**
   * How trees were left out, where they were: the factors of the ensemble's trees are then e^γ, and `ensembleAfter`
   * says what they count. Absent where none was.
   */
  readonly dropout?: DropoutOptions;
  /** False where training was stopped before its last round (cancelled, or `untilRound`). */
  readonly finished: boolean;
}
