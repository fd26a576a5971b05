import type { BitMatrix } from '@orchard/dataset';
import { explainBitRows, isBound, moments, scoreBitRows, type DensityModel, type FoundOutliers } from '@orchard/model';
import { Option, type Command } from 'commander';
import { evaluateDocument } from '../documents/evaluate-document.js';
import { loadNetwork, loadRows, networkArgument, type LoadedNetwork } from '../models/load-network.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { givenColumnsOption, seedOption } from '../options/repeated-options.js';
import { addSecondFileOptions, type SecondFileWords } from '../options/table-options.js';
import { number, oneOf, wholeNumber } from '../options/values.js';
import { BITS_PER_NAT, counted, nats } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { addAlarmOptions, checkAlarmOptions, type AlarmOptions } from '../outliers/alarms.js';
import { findAndList, outliersDocument, showOutliers } from '../outliers/show-outliers.js';
import { TrainingRowsFinder, warnOfTrainingRows } from '../run-folder/training-rows.js';
import { addRowsOrQuery, useRows, type QueryOptions } from '../rows/query-option.js';
import { weightsOption } from '../rows/row-weights.js';
import { addRuleOptions, type RuleOptions } from '../tables/rules.js';
import { evaluateTable } from '../tables/evaluate-table.js';
import { askedAsTable, tableModelOf } from '../tables/load-table-rows.js';

export interface EvaluateOptions extends QueryOptions, DatasetOptions, SecondFileWords, RuleOptions, AlarmOptions {
  readonly perRow?: string;
  readonly top: number;
  readonly worst?: number;
  readonly flag?: number;
  readonly missingMeans?: 'value' | 'unknown';
  readonly givenColumns?: readonly string[];
  readonly rowWeights?: string;
  readonly target?: string;
}

/** Log-probabilities of cells that are held at a time. */
const MOST_CELLS = 2 ** 22;

export function addEvaluateCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('evaluate')
    .description(
      'Print how likely rows are under a model: the mean log-likelihood per row, its standard error, and outliers on request.',
    )
    .argument('<NETWORK>', networkArgument);
  addRowsOrQuery(command, 'DATA', 'rows with the same columns; - reads standard input');
  command
    .option(
      '--per-row <file>',
      'write the anomaly score and the log-likelihood of each row, and the cells that make the most unusual ones so: .parquet, .arrow or .feather, otherwise CSV',
    )
    .addOption(
      new Option('--top <n>', 'unusual cells that --per-row and --worst name of each row')
        .argParser(wholeNumber('--top', 0, 1000))
        .default(3),
    )
    .addOption(
      new Option(
        '--worst <n>',
        'print the rows with the highest anomaly scores, and the cells that make them unusual',
      ).argParser(wholeNumber('--worst', 1, 100_000)),
    )
    .addOption(
      new Option(
        '--flag <share>',
        'count this share of the rows, those with the highest anomaly scores, as outliers; --per-row marks them',
      ).argParser(number('--flag', 'a number between 0 and 1', (value) => value > 0 && value < 1)),
    )
    .option(
      '--target <column>',
      'measure too how well this column is predicted given all others: log score, CRPS and intervals of numbers, log loss, Brier score and accuracy of labels',
    )
    .addOption(givenColumnsOption())
    .addOption(weightsOption())
    .addOption(
      new Option(
        '--missing-means <what>',
        'value (missing is a value of its own, if training had it) or unknown (any value is possible)',
      ).argParser(oneOf('--missing-means', ['value', 'unknown'])),
    )
    .addOption(seedOption('seed of --binarize and of the samples for unknown values'));
  addOutputOptions(addAlarmOptions(addRuleOptions(addSecondFileOptions(addDatasetOptions(command)))));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard evaluate run/network.msgpack test.csv', ''],
        ['orchard evaluate run/network.msgpack test.csv --per-row scores.csv', 'a score for every row'],
        ['orchard evaluate run table.csv --worst 20', 'find outliers'],
        ['orchard evaluate run test.csv --target price', 'how well one column is predicted'],
        ['orchard evaluate run/network.msgpack - --json < test.csv', ''],
      ]) +
        '\n\nThe anomaly score sums, over the columns, how far a cell is more surprising than is typical of its column (nats). Rows count from 1, the' +
        '\nheader not among them. Rows that trained the model score too low: orchard outliers scores each row of a file by a model that did not learn from it.',
    )
    .action(async (path: string, data: string | undefined, options: EvaluateOptions) =>
      useRows(data, options, 'DATA', terminal, (rows) => evaluate(path, rows, options, terminal)),
    );
}

/** @param path of a model or the folder of its run */
export async function evaluate(
  path: string,
  data: string,
  options: EvaluateOptions,
  terminal: Terminal,
): Promise<void> {
  checkAlarmOptions(options);
  const loaded = await loadNetwork(path);
  const { missingMeans, givenColumns, rowWeights, rule, rules, alarms, target } = options;
  const asksAsTable = [missingMeans, givenColumns, rowWeights, rule, rules, alarms, target].some(
    (asked) => asked !== undefined,
  );
  const model = asksAsTable ? askedAsTable(loaded) : tableModelOf(loaded);
  if (model !== null) return evaluateTable({ model, path: loaded.path }, data, options, terminal);
  const { network } = loaded;
  const rows = await loadRows(data, network, options, terminal);
  const likelihoods = network.logLikelihood(rows);
  const { mean, standardError } = moments(likelihoods);
  const bitsPerDimension = (-mean * BITS_PER_NAT) / network.dimensions;
  terminal.result(
    `${counted(rows.rows, 'row')}: ${isBound(network) ? 'at least ' : ''}${nats(mean)}${standardError === null ? '' : ` ± ${nats(standardError)}`} nats per row, ` +
      `${(-mean * BITS_PER_NAT).toFixed(3)} bits, ${bitsPerDimension.toFixed(4)} bits per dimension${isBound(network) ? '; a lower bound: the true likelihood is higher by an unknown amount (1.4 nats on average for 20 templates of 8 columns)' : ''}`,
  );
  const found = await outliersOfBits(loaded, rows, options, terminal);
  if (found !== null) showOutliers(found, options, terminal);
  const { likelihoodIs = null, names, dimensions } = network;
  terminal.document(
    evaluateDocument(
      {
        rows: rows.rows,
        sumOfWeights: null,
        logLikelihood: mean,
        standardError,
        likelihoodIs,
        names,
        count: dimensions,
        densityLogLikelihood: 0,
        rowsWithUnknown: 0,
        newCells: [],
        columns: terminal.json ? natsByColumn(network, rows) : null,
      },
      outliersDocument(found, options.worst !== undefined),
    ),
  );
  if (found === null) return;
  const finder = await TrainingRowsFinder.beside(loaded.path);
  finder?.see(rows);
  warnOfTrainingRows(finder, data, terminal);
}

/** Mean nats of each column; null of a model whose likelihoods have no share for each. */
function natsByColumn(
  network: DensityModel,
  rows: BitMatrix,
): { readonly measure: 'mass'; readonly nats: number }[] | null {
  const { dimensions } = network;
  const sums = new Float64Array(dimensions);
  const most = Math.max(1, Math.floor(MOST_CELLS / dimensions));
  for (let from = 0; from < rows.rows; from += most) {
    const { surprise } = network.score(rows.sliceRows(from, Math.min(rows.rows, from + most)), { top: 0 });
    if (surprise.length === 0) return null;
    for (let at = 0; at < surprise.length; at += dimensions)
      for (let column = 0; column < dimensions; column++) sums[column]! -= surprise[at + column]!;
  }
  return Array.from(sums, (sum) => ({ measure: 'mass', nats: sum / rows.rows }));
}

/** The outliers that were asked for; null where none were. */
async function outliersOfBits(
  { network }: LoadedNetwork,
  rows: BitMatrix,
  { worst, flag, perRow, top }: EvaluateOptions,
  terminal: Terminal,
): Promise<FoundOutliers | null> {
  if (worst === undefined && flag === undefined && perRow === undefined) return null;
  const scorers = { models: [network], modelOf: () => 0 };
  const asked = {
    top,
    count: worst ?? 0,
    model: network,
    ...(flag !== undefined && { flag }),
    ...(perRow !== undefined && { perRow }),
  };
  return findAndList(scoreBitRows(rows, scorers), explainBitRows(rows, scorers), asked, terminal);
}
