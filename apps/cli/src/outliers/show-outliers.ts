import { counted } from '../output/figures.js';
import { percent } from '../tables/odd-rows.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import { csvField } from '../output/write-rows.js';
import { writeOutput } from '../output/write-output.js';
import type { ExplainRows, Outlier, RowScores, UnusualCell } from './outlier.js';

/** The numbers of so many rows, from 0, the highest score first; of equal ones the earlier. */
export function highestFirst(scores: Float64Array, count: number): number[] {
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

export interface ShownRun {
  readonly rows: number;
  readonly folds: number;
  readonly model: string;
  /** Of each row, whether it is flagged; null where none was to be. */
  readonly flagged: Uint8Array | null;
}

/** Prints the most unusual rows, the most unusual first, or one document for programs. */
export function showOutliers(outliers: readonly Outlier[], run: ShownRun, terminal: Terminal): void {
  const { rows, folds, model, flagged } = run;
  terminal.result(
    `${counted(rows, 'row')}, each scored by a model that did not learn from it (${model}, ${String(folds)} folds)`,
  );
  for (const { row, score, cells } of outliers) {
    const why = cells.map(wordsOfCell).map((words) => `; ${words}`);
    terminal.result(`row ${String(row)}: score ${score.toPrecision(4)}${why.join('')}`);
  }
  const numbers = flagged === null ? null : Array.from(flagged.keys()).filter((row) => flagged[row] === 1);
  if (numbers !== null) terminal.note(`orchard: ${counted(numbers.length, 'row')} flagged`);
  terminal.document({
    ...{ rows, model, folds, outliers },
    ...(numbers !== null && { flagged: numbers.map((row) => row + 1) }),
  });
}

function wordsOfCell({ column, value, probability, expected }: UnusualCell): string {
  return harmlessLine(`${column} is ${value ?? 'missing'} (${percent(probability)}; expected ${expected})`);
}

/** Rows that are explained and written at a time. */
const ROWS_AT_A_TIME = 1024;

/**
 * Writes `row,score,logLikelihood[,outlier],column1,value1,probability1,expected1,surprise1,…`; cells of the most unusual rows are
 * explained, the others' are empty: given all other cells, a cell costs a likelihood for each value that it could have.
 */
export async function writePerRow(
  file: string,
  { scores, logLikelihoods }: RowScores,
  flagged: Uint8Array | null,
  explain: ExplainRows,
  { top, terminal }: { readonly top: number; readonly terminal: Terminal },
): Promise<void> {
  const explained = highestFirst(scores, Math.min(scores.length, ROWS_AT_A_TIME)).sort((a, b) => a - b);
  const cells = new Map((await explain(explained, top)).map((ofRow, at) => [explained[at]!, ofRow]));
  const heads = Array.from({ length: top }, (_, at) =>
    ['column', 'value', 'probability', 'expected', 'surprise'].map((head) => `${head}${String(at + 1)}`),
  ).flat();
  const head = ['row', 'score', 'logLikelihood', ...(flagged === null ? [] : ['outlier']), ...heads].join(',');
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array, void> {
    yield await Promise.resolve(encoder.encode(`${head}\n`));
    for (let row = 0; row < scores.length; row++) {
      const fields = (cells.get(row) ?? []).flatMap(fieldsOfCell);
      while (fields.length < heads.length) fields.push('');
      const own = [String(row + 1), String(scores[row]), String(logLikelihoods[row])];
      const flag = flagged === null ? [] : [String(flagged[row])];
      yield encoder.encode(`${[...own, ...flag, ...fields].join(',')}\n`);
    }
  }
  await writeOutput(file, '--per-row', lines());
  const rest = scores.length - explained.length;
  terminal.note(
    `orchard: the score of each row in ${file}${rest > 0 ? `; cells of the ${counted(explained.length, 'row')} with the highest scores` : ''}`,
  );
}

function fieldsOfCell({ column, value, probability, expected, surprise }: UnusualCell): string[] {
  return [csvField(column), csvField(value ?? ''), String(probability), csvField(expected), String(surprise)];
}
