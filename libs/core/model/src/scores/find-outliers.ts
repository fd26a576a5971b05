import { likelihoodsToExplain } from '../anomalies/unusual-cells.js';
import type { TabularModel } from '../tables/tabular-model.js';
import type { ExplainRows, Outlier, RowScores, UnusualCell } from './outlier.js';

/** What is asked of the scores of a file's rows. */
export interface OutliersAsked {
  /** Unusual cells to name of each row. */
  readonly top: number;
  /** The share of the rows to flag. */
  readonly flag?: number;
  /** The rows that are wanted with their cells, the highest scores first. */
  readonly count: number;
  /** Whether each row is listed: then as many are explained as that may take. */
  readonly isListed: boolean;
  /** The model, or one of several that are alike. */
  readonly model: TabularModel;
}

/** The most unusual rows, and those that are flagged. */
export interface FoundOutliers {
  readonly outliers: readonly Outlier[];
  /** Of each row, whether it is flagged; null where none was to be. */
  readonly flagged: Uint8Array | null;
  /** The cells of the rows that were explained, by their numbers from 0. */
  readonly explained: ReadonlyMap<number, readonly UnusualCell[]>;
}

/**
 * Likelihoods of rows that may be computed to explain the rows of a file: each row takes one for each value that each
 * cell could have.
 */
const MOST_LIKELIHOODS = 30_000;

/** Flags rows, and explains the most unusual ones, as far as these are asked for. */
export async function findOutliers(
  rows: RowScores,
  explain: ExplainRows,
  { top, flag, count, isListed, model }: OutliersAsked,
): Promise<FoundOutliers> {
  const flagged = flag === undefined ? null : flagHighest(rows.scores, flag);
  const inList = !isListed || top === 0 ? 0 : Math.floor(MOST_LIKELIHOODS / likelihoodsToExplain(model));
  const numbers = highestFirst(rows.scores, Math.max(count, inList));
  const cells = await explain(numbers, top);
  const outliers = numbers.slice(0, count).map((row, at) => ({
    row: row + 1,
    score: rows.scores[row]!,
    logLikelihood: rows.logLikelihoods[row]!,
    cells: cells[at]!,
  }));
  return { outliers, flagged, explained: new Map(numbers.map((row, at) => [row, cells[at]!])) };
}

/** The numbers of so many rows, from 0, the highest score first; of equal ones the earlier. */
function highestFirst(scores: Float64Array, count: number): number[] {
  return Array.from(scores.keys())
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, count);
}

/** 1 for the share of the rows with the highest scores: at least one. */
export function flagHighest(scores: Float64Array, share: number): Uint8Array {
  const flagged = new Uint8Array(scores.length);
  for (const row of highestFirst(scores, Math.max(1, Math.round(share * scores.length)))) flagged[row] = 1;
  return flagged;
}
