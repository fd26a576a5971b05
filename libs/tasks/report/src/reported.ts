import type { BitMatrix } from '@orchard/dataset';
import type { CellsInTurn } from '@orchard/model';

/** What any page about a finished run is made of beside its model. */
export interface Reported {
  /** The rows that the model was made from and held against. */
  readonly splits: { readonly train: BitMatrix; readonly valid: BitMatrix; readonly test: BitMatrix | null };
  /** @default what the rows are, as "A network of 16 dimensions" */
  readonly title?: string | undefined;
  /** Where the rows of each split came from, in words, where that is known: no part of the run. */
  readonly sources?: readonly (readonly [split: string, source: string])[] | undefined;
  /** Who answers for the model. @default this thread */
  readonly cells?: CellsInTurn | undefined;
}
