import type { EncodedPart } from '@orchard/dataset';
import { seedBehind } from '@orchard/numerics';
import { anomalyScores } from '../anomalies/anomaly-score.js';
import { rowSurprises, type ScoredRows } from '../anomalies/row-surprises.js';
import { scoresGiven, type GivenColumns } from '../anomalies/scores-given.js';
import type { TabularModel } from '../tables/tabular-model.js';
import { scoreTable, type TableScores } from './table-scores.js';

/** What is asked about each part of a file. */
export interface PartsAsked {
  /** Of what is sampled to integrate out: seed + i for part i. */
  readonly seed: number;
  /** What a missing value means. */
  readonly missing: 'value' | 'unknown';
  /** Whether the cells of rows are wanted. */
  readonly withCells: boolean;
  /** Whether anomaly scores are wanted. */
  readonly withAnomalies: boolean;
  /** Anomaly scores are of the other columns, given these; null where every column is scored. */
  readonly given: GivenColumns | null;
}

/** A part of a file, and how likely its rows are. */
export interface ScoredPart {
  readonly part: EncodedPart;
  readonly scores: Omit<TableScores, 'ofCodes'>;
  /** The anomaly score of each row; null where it was not asked for. */
  readonly anomalies: Float64Array | null;
}

/** Scores the parts of a file, in their order. */
export type ScoreParts = (parts: AsyncIterable<EncodedPart>, asked: PartsAsked) => AsyncIterable<ScoredPart>;

/** By this thread alone. */
export function scorePartsHere(model: TabularModel): ScoreParts {
  return async function* (parts, asked) {
    let number = 0;
    for await (const part of parts) {
      const seed = seedBehind(asked.seed, number++);
      const scores = scoreTable(model, part, { ...asked, withOfCodes: asked.withAnomalies, seed });
      const ofRows = asked.withAnomalies ? surprisesFor(model, part, asked, scores.ofCodes) : null;
      yield { part, scores, anomalies: ofRows && anomaliesOf(model, ofRows, asked) };
    }
  };
}

/**
 * Of rows what their anomaly scores are made of: the surprise of each cell, or within groups the score itself.
 *
 * @param ofCodes what `cellLogLikelihoods` says of the rows, where it was asked before
 */
export function surprisesFor(
  model: TabularModel,
  rows: ScoredRows,
  { missing, given }: Pick<PartsAsked, 'missing' | 'given'>,
  ofCodes?: Float64Array,
): Float64Array {
  return given === null ? rowSurprises(model, rows, missing, ofCodes) : scoresGiven(model, rows, given);
}

/** @param surprises of {@link surprisesFor} */
export function anomaliesOf(
  model: TabularModel,
  surprises: Float64Array,
  { given }: Pick<PartsAsked, 'given'>,
): Float64Array {
  return given === null ? anomalyScores(model, surprises) : surprises;
}
