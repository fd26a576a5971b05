import type { TabularModel } from '@orchard/model';
import { counted, nats as figure, table } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import { csvField } from '../output/write-rows.js';
import { moments } from '../output/moments.js';
import { writeOutput } from '../output/write-output.js';
import { openRows, type TableRowsOptions } from './load-table-rows.js';
import { explainRows, leastLikely, wordsOfRow, worstRows } from './odd-rows.js';
import { scoreFile, type FileScores } from './score-file.js';

export interface EvaluateTableOptions extends TableRowsOptions {
  readonly perRow?: string;
  readonly top: number;
  readonly worst?: number;
  readonly flag?: number;
  readonly missingMeans?: 'value' | 'unknown';
  readonly seed?: number;
}

/** Says how likely the rows of a table are: a row, a variable, and which rows and columns are odd. */
export async function evaluateTable(
  model: TabularModel,
  file: string,
  options: EvaluateTableOptions,
  terminal: Terminal,
): Promise<void> {
  const raw = await openRows(file, options);
  try {
    const scores = await scoreFile(model, raw, options.missingMeans ?? 'value', options.seed ?? 0, terminal);
    await showScores(scores, options, terminal);
  } finally {
    await raw.close();
  }
}

async function showScores(scores: FileScores, options: EvaluateTableOptions, terminal: Terminal): Promise<void> {
  const { model, densityMean: ofDensities } = scores;
  const { mean, standardError } = moments(scores.nats);
  const { variables } = model.table;
  const densities = variables.filter((variable) => variable.kind === 'ordered' && variable.measure === 'density');
  terminal.result(
    `${counted(scores.nats.length, 'row')}: ${figure(mean)}${standardError === null ? '' : ` ± ${figure(standardError)}`} nats per row` +
      (densities.length === 0
        ? ', all of them masses'
        : `: ${figure(mean - ofDensities)} of masses and ${figure(ofDensities)} of the densities of ${densities.map(({ name }) => harmlessLine(name)).join(', ')}, which depend on their units`),
  );
  if (scores.incomplete > 0) {
    terminal.result(
      `${counted(scores.incomplete, 'row')} with unknown values: integrated out by drawing, with an error of up to ${figure(scores.greatestError)} nats; not among the figures by variable`,
    );
  }
  const byVariable = variables.map((variable, index) => ({
    name: variable.name,
    measure: variable.kind === 'ordered' ? variable.measure : ('mass' as const),
    nats: Number.isNaN(scores.means[index]!) ? null : scores.means[index]!,
  }));
  terminal.result(
    table(
      ['variable', 'nats per row', 'of'],
      byVariable.map(({ name, measure, nats }) => [name, nats === null ? '-' : figure(nats), measure]),
    ),
  );
  const flagged = options.flag === undefined ? null : flagRows(scores.nats, options.flag);
  const worst = options.worst === undefined ? null : await worstRows(scores, options.worst, options.top);
  if (worst !== null) for (const line of worst) terminal.result(wordsOfRow(line));
  if (options.perRow !== undefined) {
    await writeOutput(options.perRow, '--per-row', perRowCsv(scores, options.top, flagged));
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
  for (const row of leastLikely(nats, Math.max(1, Math.round(share * nats.length)))) flagged[row] = 1;
  return flagged;
}

function labelsCsv(flagged: Uint8Array): string {
  return `row,odd\n${Array.from(flagged, (odd, row) => `${String(row + 1)},${String(odd)}`).join('\n')}\n`;
}

/** Lines that are written at a time. */
const LINES = 1024;

async function* perRowCsv(
  scores: FileScores,
  top: number,
  flagged: Uint8Array | null,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const named = Math.min(top, scores.model.variables);
  const heads = Array.from({ length: named }, (_, at) =>
    ['column', 'value', 'probability', 'expected', 'surprise'].map((head) => `${head}${String(at + 1)}`).join(','),
  );
  let lines = [['row', 'logLikelihood', ...(flagged === null ? [] : ['odd']), ...heads].join(',')];
  for await (const { row, logLikelihood, reasons } of explainRows(scores, named)) {
    const cells = reasons.map(({ column, value, probability, expected, surprise }) =>
      [
        csvField(column),
        csvField(value ?? ''),
        probability.toPrecision(4),
        csvField(expected),
        surprise.toFixed(4),
      ].join(','),
    );
    while (cells.length < named) cells.push(',,,,');
    const odd = flagged === null ? [] : [String(flagged[row - 1]!)];
    lines.push([String(row), logLikelihood.toFixed(6), ...odd, ...cells].join(','));
    if (lines.length < LINES) continue;
    yield encoder.encode(`${lines.join('\n')}\n`);
    lines = [];
  }
  if (lines.length > 0) yield encoder.encode(`${lines.join('\n')}\n`);
}
