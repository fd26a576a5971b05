import { nameOfDimension } from '@orchard/dataset';
import { importanceDocument, type ExplainedColumn, type Explanation } from './importance-document.js';
import { explainModel } from './explain-model.js';
import { predictorsInWords, shareInWords } from './predictors-in-words.js';
import { rarely } from '../../options/help-places.js';
import { loadNetwork, networkArgument } from '../../rows/load-network.js';
import { datasetOptions } from '../../options/dataset-options.js';
import { declareCommand } from '../../options/add-command.js';
import { seedOption, threadsOption, outOption } from '../../options/repeated-options.js';
import { weightsOption } from '../../options/row-weights.js';
import { secondFileOptions } from '../../options/table-options.js';
import { wholeNumber } from '../../options/values.js';
import { count, counted, percentTo, table, withDecimals } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import type { Terminal } from '../../output/terminal.js';
import { textWidth } from '../../output/text-width.js';
import { encodeMatrix } from '../../output/table-file.js';
import { writeOutput } from '../../output/write-output.js';
import { option, type Parsed } from '../../options/option.js';

/** Columns that a terminal shows by default. */
const MOST_SHOWN = 20;

const importanceOptions = () => [
  option('--dimension <column>', 'print only this column, by name or number from 1'),
  option('--top <n>', 'predictors to print per column', wholeNumber(1, 1_000_000), 5),
  option(
    '--show <n>',
    `columns to print, those that gain most (default: all; on a terminal ${String(MOST_SHOWN)})`,
    wholeNumber(1, 1_000_000),
  ),
  outOption('-o, --out <file>', 'write the whole matrix of shares: .parquet, .arrow or .feather, otherwise CSV'),
  rarely(weightsOption()),
  seedOption('seed of --binarize'),
  threadsOption(),
  ...datasetOptions(),
  ...secondFileOptions(),
];

export type ImportanceOptions = Parsed<typeof importanceOptions>;

export const addImportanceCommand = declareCommand(
  {
    name: 'importance',
    description:
      'Print the feature importance of every column: how much the other columns help to predict it, and which ones.',
    places: [
      ['<NETWORK>', networkArgument],
      [
        '[DATA]',
        'rows that the model was not trained on; - reads standard input (default: test or validation rows of the run)',
      ],
    ],
    options: importanceOptions,
    examples: [
      ['orchard importance run/network.msgpack', ''],
      ['orchard importance elsewhere.msgpack fresh.csv', 'by rows of your own'],
      ['orchard importance run/network.msgpack --dimension age=old --top 10', ''],
      ['orchard importance run/network.msgpack --out shares.csv', ''],
    ],
    notes: [
      'A column gains what its trees add to its log-likelihood (nats per row) on held-out rows, compared with its own rate.',
      'Held-out rows are DATA, else the test rows of the run, else its validation rows with an allowance for choosing rounds.',
      'Predictors are listed for a column beyond noise: if all columns were independent, 1 model in 20 would list one.',
      'The share of a predictor is its part of the split gain in the trees of the column. It is marked (noise?) where the',
      "predictor's own values predict the column in held-out rows no better than the values of other rows do.",
    ],
  },
  importance,
);

async function importance(
  path: string,
  data: string | undefined,
  options: ImportanceOptions,
  terminal: Terminal,
): Promise<void> {
  const { dimension, show, out } = options;
  const loaded = await loadNetwork(path);
  const explanation = await explainModel(loaded, data, options, terminal);
  if (out !== undefined) await writeOutput(out, '--out', await matrixOf(out, explanation));
  const { names, columns, irrelevant, judgement, predictorsJudged } = explanation;
  const most = show ?? (terminal.showsResults ? MOST_SHOWN : Infinity);
  if (dimension === undefined) showColumns(columns, most, names, terminal);
  else showColumn(columns[0]!, names, terminal);
  terminal.result('');
  terminal.result(judgement);
  terminal.result(predictorsInWords(predictorsJudged));
  if (dimension === undefined) {
    const unused = irrelevant.slice(0, most).map((index) => harmlessLine(nameOfDimension(index, names)));
    if (irrelevant.length > most) unused.push(`… and ${count(irrelevant.length - most)} more`);
    terminal.result(
      `${counted(irrelevant.length, 'column')} that nothing is predicted from${irrelevant.length === 0 ? '' : `: ${unused.join(', ')}`}`,
    );
  }
  if (out !== undefined) terminal.note(`orchard: all shares in ${out}`);
  terminal.document(importanceDocument(explanation, out ?? null));
}

/**
 * What gains most first, and grey what is no better than noise; where nothing was judged, in the order of the network.
 */
function showColumns(
  explained: readonly ExplainedColumn[],
  most: number,
  names: readonly string[] | null,
  terminal: Terminal,
): void {
  const ranked = explained.toSorted(
    (left, right) =>
      Number(right.beyondNoise ?? 0) - Number(left.beyondNoise ?? 0) || (right.gain ?? 0) - (left.gain ?? 0),
  );
  const shown = ranked.slice(0, most);
  const shownNames = shown.map(({ index }) => harmlessLine(nameOfDimension(index, names)));
  const width = shownNames.reduce((most, name) => Math.max(most, textWidth(name)), 0);
  for (const [at, each] of shown.entries()) {
    const { gain, beyondNoise, predictors, predictorsInAll } = each;
    const cells = predictors.map((one) => shareInWords(harmlessLine(nameOfDimension(one.index, names)), one));
    if (predictorsInAll > predictors.length) cells.push(`${count(predictorsInAll - predictors.length)} more`);
    const told = beyondNoise === false ? 'no better than noise' : cells.length === 0 ? '-' : cells.join(', ');
    const own = shownNames[at]!;
    const name = own + ' '.repeat(width - textWidth(own));
    const line = [name, ...(gain === null ? [] : [withDecimals(gain, 4).padStart(8)]), told].join('  ');
    if (beyondNoise === false) terminal.faint(line);
    else terminal.result(line);
  }
  if (shown.length < ranked.length) {
    const missing = counted(ranked.length - shown.length, 'more column');
    terminal.result(`… and ${missing}: --show ${String(ranked.length)} lists all, and so does a pipe`);
  }
}

function showColumn(
  { index, gain, beyondNoise, predictors, predictorsInAll }: ExplainedColumn,
  names: readonly string[] | null,
  terminal: Terminal,
): void {
  if (gain !== null) {
    const name = harmlessLine(nameOfDimension(index, names));
    terminal.result(
      `${name} gains ${withDecimals(gain, 4)} nats per row over its own rate: ${beyondNoise ? 'beyond noise' : 'no better than noise, so there is nothing to share out'}`,
    );
  }
  if (beyondNoise === false) return;
  const lines = predictors.map((each) => [
    nameOfDimension(each.index, names),
    `${percentTo(each.share, 1)}${each.beyondNoise === false ? ' (noise?)' : ''}`,
  ]);
  terminal.result(
    lines.length === 0 ? 'no tree of this column has a split' : table(['predictor', 'share of the gain'], lines),
  );
  if (predictorsInAll > predictors.length) {
    terminal.result(
      `… and ${counted(predictorsInAll - predictors.length, 'more predictor')}: --top ${String(predictorsInAll)} names all`,
    );
  }
}

/** Lines and columns in the order of the model: of one that has an ordering the matrix is lower triangular. */
function matrixOf(out: string, { names, order, sharesOf }: Explanation): Promise<Uint8Array[]> {
  const heads = order.map((index) => nameOfDimension(index, names));
  return encodeMatrix(out, 'column', heads, (position) => {
    const shares = sharesOf(order[position]!);
    return order.map((index) => shares[index]!);
  });
}
