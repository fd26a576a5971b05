import type { SortedRows } from '@orchard/logistic';

/** The rows of a run, sorted once for all that is fitted to them. */
export interface SortedSplits {
  readonly train: SortedRows;
  readonly valid: SortedRows;
}
