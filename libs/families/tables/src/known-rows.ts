import type { BitMatrix } from '@orchard/dataset';

/** Rows of which the first positions of an ordering are known, the later ones not yet. */
export interface KnownRows {
  /** Predictor bits of these positions; zero behind them. */
  readonly bits: BitMatrix;
  /** Element `row * positions + position`. */
  readonly codes: Uint16Array;
  readonly positions: number;
}
