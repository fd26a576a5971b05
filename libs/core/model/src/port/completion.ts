import type { BitMatrix } from '@orchard/dataset';

/** Rows with their unknown values drawn, and how probable their known values are. */
export interface Completion {
  readonly matrix: BitMatrix;
  /**
   * Of each row: as many independent candidates, drawn without regard to what is known later and weighted by it, would
   * leave `logEvidence` as uncertain, from 1 to `samples`. It is judged by how far `groups` of independent particles
   * disagree, so it is itself uncertain. Near 1 the known values contradict what the model expects, and the draw is
   * hardly to be trusted: ask for more samples. Where the draw is exact, `samples`.
   */
  readonly effectiveSampleSize: Float64Array;
  /** Of each row: 1 where the draw is from the exact conditional distribution, 0 where it is approximate. */
  readonly exact: Uint8Array;
  /**
   * Of each row: log P(known values), in nats, what is unknown summed out; 0 where nothing is known. Exact where
   * `exact` is 1; else an estimate whose exp is right on average over seeds, so that it is itself too low by about half
   * the square of its error.
   */
  readonly logEvidence: Float64Array;
  /**
   * Of each row: standard error of `logEvidence` in nats, from the spread between independent groups of particles: 0
   * where it is exact, Infinity where one sample says nothing about it. Over many rows the squares add up to the truth;
   * that of one row is uncertain, with three degrees of freedom.
   */
  readonly logEvidenceError: Float64Array;
}

/** What a completion is asked with: the particles a row, where a family cannot draw exactly. */
export interface CompleteOptions {
  readonly seed: number;
  readonly samples?: number;
  /** The number of the first row, where the rows are a part of more: draws depend on it. @default 0 */
  readonly firstRow?: number;
}

/** A completion whose every row is drawn exactly, from one candidate. */
export function exactCompletion(matrix: BitMatrix, logEvidence: Float64Array): Completion {
  const { rows } = matrix;
  return {
    matrix,
    effectiveSampleSize: new Float64Array(rows).fill(1),
    exact: new Uint8Array(rows).fill(1),
    logEvidence,
    logEvidenceError: new Float64Array(rows),
  };
}
