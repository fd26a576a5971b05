import {
  findOutliers,
  type ExplainRows,
  type FoundOutliers,
  type Outlier,
  type OutliersAsked,
  type RowScores,
  type UnusualCell,
} from '@orchard/model';
import { counted, percent } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import { shortened } from '../../output/shortened.js';
import type { Terminal } from '../../output/terminal.js';
import { writePerRow } from './write-per-row.js';

/** What is asked of the scores of a file's rows. */
export interface OutlierOptions extends Omit<OutliersAsked, 'isListed'> {
  /** A file for the score of each row. */
  readonly perRow?: string;
  /** log P of each row under rules, for that file; null where no rules hold. */
  readonly underRules?: Float64Array | null;
}

/** As the lib's, which it writes to a file where one is asked for. */
export async function findAndList(
  rows: RowScores,
  explain: ExplainRows,
  { perRow, underRules = null, ...asked }: OutlierOptions,
  terminal: Terminal,
): Promise<FoundOutliers> {
  const found = await findOutliers(rows, explain, { ...asked, isListed: perRow !== undefined });
  if (perRow !== undefined) await writePerRow(perRow, { ...rows, ...found, underRules, top: asked.top }, terminal);
  return found;
}

/** Prints unusual rows, the most unusual first, with the cells that make them so. */
export function showOutliers(
  { outliers, flagged }: FoundOutliers,
  { top }: Pick<OutliersAsked, 'top'>,
  terminal: Terminal,
): void {
  for (const outlier of outliers) terminal.result(wordsOfOutlier(outlier, top > 0));
  if (outliers.length > 0) terminal.note('orchard: rows count from 1, the header not among them');
  if (flagged !== null) terminal.note(`orchard: ${counted(flaggedRows(flagged).length, 'row')} flagged`);
}

/** The same for programs, as far as it was asked for. */
export interface OutliersDocument {
  /** `reasons` is what `cells` was called before. */
  readonly worst?: readonly (Outlier & { readonly reasons: Outlier['cells'] })[];
  /** The numbers of the rows that are flagged, from 1. */
  readonly flagged?: readonly number[];
}

export function outliersDocument(found: FoundOutliers | null, withWorst: boolean): OutliersDocument {
  if (found === null) return {};
  const { outliers, flagged } = found;
  return {
    ...(withWorst && { worst: outliers.map((outlier) => ({ ...outlier, reasons: outlier.cells })) }),
    ...(flagged !== null && { flagged: flaggedRows(flagged) }),
  };
}

/** @param hasReasons whether the cells that make it unusual were asked for */
export function wordsOfOutlier({ row, score, cells }: Outlier, hasReasons = true): string {
  const why = cells.map(wordsOfCell).map((words) => `; ${words}`);
  const none = hasReasons && cells.length === 0 ? '; no value is unusual by itself' : '';
  return `row ${String(row)}: score ${score.toPrecision(4)}${why.join('')}${none}`;
}

/** The numbers of the rows that are flagged, from 1. */
export function flaggedRows(flagged: Uint8Array): number[] {
  return Array.from(flagged.keys(), (row) => row + 1).filter((row) => flagged[row - 1] === 1);
}

function wordsOfCell({ column, value, probability, expected }: UnusualCell): string {
  const [name, shown, usual] = [column, value ?? 'missing', expected].map(shortened);
  return harmlessLine(`${name!} is ${shown!} (${percent(probability)}; expected ${usual!})`);
}
