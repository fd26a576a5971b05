import { expectedWords, type TableModel } from '@orchard/tables';
import { counted, nats as figure, table } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import { csvField } from '../output/write-rows.js';
import { moments } from '../output/moments.js';
import { writeOutput } from '../write-output.js';
import { loadTableRows, type LoadedTableRows, type TableRowsOptions } from './load-table-rows.js';
import { scoreTable, type TableScores } from './table-scores.js';

export interface EvaluateTableOptions extends TableRowsOptions {
  readonly perRow?: string;
  readonly top: number;
  readonly worst?: number;
  readonly flag?: number;
  readonly missingMeans?: 'value' | 'unknown';
  readonly seed?: number;
}

/** A column of a row that speaks against it. */
interface Reason {
  readonly column: string;
  readonly value: string | null;
  readonly probability: number;
  readonly expected: string;
  readonly surprise: number;
}

/** Says how likely the rows of a table are: a row, a variable, and which rows and columns are odd. */
export async function evaluateTable(
  model: TableModel,
  file: string,
  options: EvaluateTableOptions,
  terminal: Terminal,
): Promise<void> {
  const rows = await loadTableRows(file, model, options, options.missingMeans ?? 'value', terminal);
  const scores = scoreTable(model, rows, options.seed ?? 0);
  const { mean, standardError } = moments(scores.nats);
  const ofDensities = moments(scores.densityNats).mean;
  const { variables } = model.table;
  const densities = variables.filter((variable) => variable.kind === 'ordered' && variable.measure === 'density');
  terminal.result(
    `${counted(scores.nats.length, 'row')}: ${figure(mean)}${standardError === null ? '' : ` ± ${figure(standardError)}`} nats a row` +
      (densities.length === 0
        ? ', all of them masses'
        : `: ${figure(mean - ofDensities)} of masses and ${figure(ofDensities)} of the densities of ${densities.map(({ name }) => harmlessLine(name)).join(', ')}, which depend on their units`),
  );
  if (scores.incomplete > 0) {
    const worst = scores.errors.reduce((most, error) => Math.max(most, error), 0);
    terminal.result(
      `${counted(scores.incomplete, 'row')} with unknown values: integrated out by drawing, with an error of up to ${figure(worst)} nats; not among the figures by variable`,
    );
  }
  const byVariable = variables.map((variable, index) => ({
    name: variable.name,
    measure: variable.kind === 'ordered' ? variable.measure : ('mass' as const),
    nats: Number.isNaN(scores.means[index]!) ? null : scores.means[index]!,
  }));
  terminal.result(
    table(
      ['variable', 'nats a row', 'of'],
      byVariable.map(({ name, measure, nats }) => [name, nats === null ? '-' : figure(nats), measure]),
    ),
  );
  const flagged = options.flag === undefined ? null : flagRows(scores.nats, options.flag);
  const worst = options.worst === undefined ? null : worstRows(model, rows, scores, options.worst, options.top);
  if (worst !== null) for (const line of worst) terminal.result(wordsOfRow(line));
  if (options.perRow !== undefined) {
    await writeOutput(options.perRow, '--per-row', perRowCsv(model, rows, scores, options.top, flagged));
    terminal.note(`orchard: likelihood of each row in ${options.perRow}`);
  } else if (flagged !== null) await terminal.data([new TextEncoder().encode(labelsCsv(flagged))]);
  terminal.document({
    rows: scores.nats.length,
    logLikelihood: mean,
    standardError,
    massLogLikelihood: mean - ofDensities,
    densityLogLikelihood: ofDensities,
    rowsWithUnknown: scores.incomplete,
    variables: byVariable,
    ...(worst === null ? {} : { worst }),
    ...(flagged === null
      ? {}
      : { flagged: [...flagged.keys()].filter((row) => flagged[row] === 1).map((row) => row + 1) }),
  });
}

/** 1 for the share of rows that are least likely: at least one. */
function flagRows(nats: Float64Array, share: number): Uint8Array {
  const flagged = new Uint8Array(nats.length);
  const order = Array.from(nats.keys()).sort((a, b) => nats[a]! - nats[b]! || a - b);
  for (const row of order.slice(0, Math.max(1, Math.round(share * nats.length)))) flagged[row] = 1;
  return flagged;
}

function labelsCsv(flagged: Uint8Array): string {
  return `row,odd\n${Array.from(flagged, (odd, row) => `${String(row + 1)},${String(odd)}`).join('\n')}\n`;
}

/** One of the least likely rows, counted from 1, and the columns that speak most against it. */
export interface OddRow {
  readonly row: number;
  readonly logLikelihood: number;
  readonly reasons: readonly Reason[];
}

export function worstRows(
  model: TableModel,
  rows: LoadedTableRows,
  scores: TableScores,
  count: number,
  top: number,
): OddRow[] {
  const order = Array.from(scores.nats.keys()).sort((a, b) => scores.nats[a]! - scores.nats[b]! || a - b);
  return order.slice(0, count).map((row) => ({
    row: row + 1,
    logLikelihood: scores.nats[row]!,
    reasons: reasonsOf(model, rows, scores, row, top),
  }));
}

/** The columns whose surprise is furthest beyond what is usual of them. */
function reasonsOf(model: TableModel, rows: LoadedTableRows, scores: TableScores, row: number, top: number): Reason[] {
  const { variables } = model;
  const excess = Array.from(
    { length: variables },
    (_, index) => scores.means[index]! - scores.cells[row * variables + index]!,
  );
  const order = [...excess.keys()]
    .filter((index) => !Number.isNaN(excess[index]!))
    .sort((a, b) => excess[b]! - excess[a]! || a - b)
    .slice(0, top);
  const alone = rows.matrix.selectRows([row]);
  return order.map((index) => {
    const variable = model.table.variables[index]!;
    const probabilities = model.distributionOf(index, alone);
    const code = model.codeOf(alone, 0, index);
    return {
      column: variable.name,
      value: rows.texts[index]![row]!,
      probability: probabilities[code]!,
      expected: expectedWords(variable, probabilities),
      surprise: excess[index]!,
    };
  });
}

export function wordsOfRow({ row, logLikelihood, reasons }: OddRow): string {
  const said = reasons.map(({ column, value, probability, expected }) =>
    harmlessLine(`${column} is ${value ?? 'absent'} (${percent(probability)}; expected ${expected})`),
  );
  return `row ${String(row)}: ${figure(logLikelihood)} nats; ${said.join('; ')}`;
}

function percent(probability: number): string {
  const share = 100 * probability;
  return share >= 0.1 ? `${share.toFixed(1)} %` : share === 0 ? '0 %' : `${share.toExponential(0)} %`;
}

function perRowCsv(
  model: TableModel,
  rows: LoadedTableRows,
  scores: TableScores,
  top: number,
  flagged: Uint8Array | null,
): string {
  const named = Math.min(top, model.variables);
  const heads = Array.from({ length: named }, (_, at) =>
    ['column', 'value', 'probability', 'expected', 'surprise'].map((head) => `${head}${String(at + 1)}`).join(','),
  );
  const lines = [['row', 'logLikelihood', ...(flagged === null ? [] : ['odd']), ...heads].join(',')];
  for (let row = 0; row < scores.nats.length; row++) {
    const reasons = reasonsOf(model, rows, scores, row, named).map(
      ({ column, value, probability, expected, surprise }) =>
        [
          csvField(column),
          csvField(value ?? ''),
          probability.toPrecision(4),
          csvField(expected),
          surprise.toFixed(4),
        ].join(','),
    );
    while (reasons.length < named) reasons.push(',,,,');
    lines.push(
      [
        String(row + 1),
        scores.nats[row]!.toFixed(6),
        ...(flagged === null ? [] : [String(flagged[row]!)]),
        ...reasons,
      ].join(','),
    );
  }
  return `${lines.join('\n')}\n`;
}
