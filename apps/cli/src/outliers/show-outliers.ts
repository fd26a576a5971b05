import { likelihoodsToExplain, type DensityModel } from '@orchard/model';
import { counted, percent } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import type { ExplainRows, Outlier, RowScores, UnusualCell } from './outlier.js';
import { writePerRow } from './write-per-row.js';

/** What is asked of the scores of a file's rows. */
export interface OutlierOptions {
  /** Unusual cells to name of each row. */
  readonly top: number;
  /** The share of the rows to flag. */
  readonly flag?: number;
  /** A file for the score of each row. */
  readonly perRow?: string;
}

/** The most unusual rows, and those that are flagged. */
export interface FoundOutliers {
  readonly outliers: readonly Outlier[];
  /** Of each row, whether it is flagged; null where none was to be. */
  readonly flagged: Uint8Array | null;
}

/** Flags rows, writes the score of each, and explains the most unusual ones, as far as these are asked for. */
export async function findOutliers(
  rows: RowScores,
  explain: ExplainRows,
  { top, flag, perRow, count, model }: OutlierOptions & { readonly count: number; readonly model: DensityModel },
  terminal: Terminal,
): Promise<FoundOutliers> {
  const flagged = flag === undefined ? null : flagHighest(rows.scores, flag);
  const inFile = perRow === undefined || top === 0 ? 0 : Math.floor(MOST_LIKELIHOODS / likelihoodsToExplain(model));
  const numbers = highestFirst(rows.scores, Math.max(count, inFile));
  const cells = await explain(numbers, top);
  if (perRow !== undefined) {
    const explained = new Map(numbers.map((row, at) => [row, cells[at]!]));
    await writePerRow(perRow, { ...rows, flagged, top, explained }, terminal);
  }
  const outliers = numbers.slice(0, count).map((row, at) => ({
    row: row + 1,
    score: rows.scores[row]!,
    logLikelihood: rows.logLikelihoods[row]!,
    cells: cells[at]!,
  }));
  return { outliers, flagged };
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

/** Prints unusual rows, the most unusual first, with the cells that make them so. */
export function showOutliers({ outliers, flagged }: FoundOutliers, terminal: Terminal): void {
  for (const outlier of outliers) terminal.result(wordsOfOutlier(outlier));
  if (flagged !== null) terminal.note(`orchard: ${counted(flaggedRows(flagged).length, 'row')} flagged`);
}

/** The same for programs. `reasons` is what `cells` was called before. */
export function outliersDocument(found: FoundOutliers | null, withWorst: boolean): object {
  if (found === null) return {};
  const { outliers, flagged } = found;
  return {
    ...(withWorst && { worst: outliers.map((outlier) => ({ ...outlier, reasons: outlier.cells })) }),
    ...(flagged !== null && { flagged: flaggedRows(flagged) }),
  };
}

export function wordsOfOutlier({ row, score, cells }: Outlier): string {
  const why = cells.map(wordsOfCell).map((words) => `; ${words}`);
  return `row ${String(row)}: score ${score.toPrecision(4)}${why.join('')}`;
}

/** The numbers of the rows that are flagged, from 1. */
export function flaggedRows(flagged: Uint8Array): number[] {
  return Array.from(flagged.keys(), (row) => row + 1).filter((row) => flagged[row - 1] === 1);
}

function wordsOfCell({ column, value, probability, expected }: UnusualCell): string {
  return harmlessLine(`${column} is ${value ?? 'missing'} (${percent(probability)}; expected ${expected})`);
}

/**
 * Likelihoods of rows that may be computed to explain the rows of a file: each row takes one for each value that each
 * cell could have.
 */
const MOST_LIKELIHOODS = 30_000;
