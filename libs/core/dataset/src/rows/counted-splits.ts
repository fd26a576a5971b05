import type { BitMatrix } from './bit-matrix.js';
import { attachRows, shareRows, type CountedRows, type SharedRows } from './counted-rows.js';

/** The rows that are learned from, and those that choose among what was learned. */
export interface CountedSplits {
  readonly train: CountedRows;
  readonly valid: CountedRows;
}

/** What {@link attachSplits} takes: buffers that threads share. */
export interface SharedSplits {
  readonly train: SharedRows;
  readonly valid: SharedRows;
}

/** Counts the equal rows of both. The result is in memory that threads share. */
export function shareSplits({ train, valid }: { readonly train: BitMatrix; readonly valid: BitMatrix }): SharedSplits {
  return { train: shareRows(train), valid: shareRows(valid) };
}

export function attachSplits({ train, valid }: SharedSplits): CountedSplits {
  return { train: attachRows(train), valid: attachRows(valid) };
}
