import type { BitMatrix } from '@orchard/dataset';
import { isBound, type DensityModel } from '@orchard/model';
import { Option, type Command } from 'commander';
import { UsageError } from '../errors.js';
import { loadNetwork, loadRows, networkArgument } from '../models/load-network.js';
import { oddBits } from '../models/odd-bits.js';
import { nameOfDimension } from '../rows/name-of-dimension.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { seedOption } from '../options/repeated-options.js';
import { addTableFileOptions, type TableFileWords } from '../options/table-options.js';
import { number, oneOf, wholeNumber } from '../options/values.js';
import { BITS_PER_NAT, counted, nats } from '../output/figures.js';
import { moments } from '../output/moments.js';
import type { Terminal } from '../output/terminal.js';
import { csvField } from '../output/write-rows.js';
import { evaluateTable } from '../tables/evaluate-table.js';
import { wordsOfRow } from '../tables/odd-rows.js';
import { tableModelOf } from '../tables/load-table-rows.js';
import { writeOutput } from '../output/write-output.js';

interface EvaluateOptions extends DatasetOptions, TableFileWords {
  readonly perRow?: string;
  readonly top: number;
  readonly worst?: number;
  readonly flag?: number;
  readonly missingMeans?: 'value' | 'unknown';
}

/** Rows scored at a time: their surprises are held for all dimensions. */
const CELLS_AT_A_TIME = 2 ** 22;

export function addEvaluateCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('evaluate')
    .description(
      'Print how likely rows are under a model: the mean log-likelihood per row, its standard error, and outliers on request.',
    )
    .argument('<NETWORK>', networkArgument)
    .argument('<DATA>', 'rows with the same columns; - reads standard input')
    .option('--per-row <file>', 'write a CSV with the log-likelihood of each row and its most unusual columns')
    .addOption(
      new Option('--top <n>', 'unusual columns that --per-row and --worst name')
        .argParser(wholeNumber('--top', 0, 1000))
        .default(3),
    )
    .addOption(
      new Option('--worst <n>', 'print the least likely rows, with their unusual columns').argParser(
        wholeNumber('--worst', 1, 100_000),
      ),
    )
    .addOption(
      new Option(
        '--flag <share>',
        'tables: count this share of the rows, the least likely, as outliers; --per-row marks them',
      ).argParser(number('--flag', 'a number between 0 and 1', (value) => value > 0 && value < 1)),
    )
    .addOption(
      new Option(
        '--missing-means <what>',
        'tables: value (missing is a value of its own, if training had it) or unknown (any value is possible)',
      ).argParser(oneOf('--missing-means', ['value', 'unknown'])),
    )
    .addOption(seedOption('seed of --binarize and of the samples for unknown values'));
  addOutputOptions(addTableFileOptions(addDatasetOptions(command)));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard evaluate run/network.msgpack test.csv', ''],
        ['orchard evaluate run/network.msgpack test.csv --per-row scores.csv', 'with the unusual columns of each row'],
        ['orchard evaluate run table.csv --worst 20', 'find outliers'],
        ['orchard evaluate run/network.msgpack - --json < test.csv', ''],
      ]),
    )
    .action(async (path: string, data: string, options: EvaluateOptions) => evaluate(path, data, options, terminal));
}

async function evaluate(path: string, data: string, options: EvaluateOptions, terminal: Terminal): Promise<void> {
  const loaded = await loadNetwork(path);
  const model = tableModelOf(loaded);
  if (model !== null) return evaluateTable(model, data, options, terminal);
  refuseTableWords(options);
  const { network } = loaded;
  const rows = await loadRows(data, network, options, terminal);
  const { perRow, top, worst } = options;
  const likelihoods =
    perRow === undefined ? network.logLikelihood(rows) : await writeScores(network, rows, top, perRow);
  const { mean, standardError } = moments(likelihoods);
  const bitsPerDimension = (-mean * BITS_PER_NAT) / network.dimensions;
  terminal.result(
    `${counted(rows.rows, 'row')}: ${isBound(network) ? 'at least ' : ''}${nats(mean)}${standardError === null ? '' : ` ± ${nats(standardError)}`} nats per row, ` +
      `${(-mean * BITS_PER_NAT).toFixed(3)} bits, ${bitsPerDimension.toFixed(4)} bits per dimension${isBound(network) ? '; a lower bound: the true likelihood is higher by an unknown amount' : ''}`,
  );
  const odd = worst === undefined ? null : oddBits(network, rows, likelihoods, { worst, top });
  for (const row of odd ?? []) terminal.result(wordsOfRow(row));
  if (perRow !== undefined) terminal.note(`orchard: likelihood of each row in ${perRow}`);
  const { likelihoodIs } = network;
  terminal.document({
    ...{ rows: rows.rows, logLikelihood: mean, standardError, bitsPerDimension },
    ...(likelihoodIs === undefined ? {} : { likelihoodIs }),
    ...(odd === null ? {} : { worst: odd }),
  });
}

/** Writes `row,logLikelihood,column1,surprise1,…`; rows are counted from 1, surprises are nats. */
async function writeScores(network: DensityModel, rows: BitMatrix, top: number, file: string): Promise<Float64Array> {
  const likelihoods = new Float64Array(rows.rows);
  // a bound has no share for each column
  const named = isBound(network) ? 0 : Math.min(top, network.dimensions);
  const heads = Array.from({ length: named }, (_, rank) => `column${String(rank + 1)},surprise${String(rank + 1)}`);
  const lines = [['row', isBound(network) ? 'logLikelihoodAtLeast' : 'logLikelihood', ...heads].join(',')];
  const slice = Math.max(1, Math.floor(CELLS_AT_A_TIME / network.dimensions));
  for (let first = 0; first < rows.rows; first += slice) {
    const part = rows.selectRows(Array.from({ length: Math.min(slice, rows.rows - first) }, (_, at) => first + at));
    const { logLikelihood, surprise, columns } = network.score(part, { top: named });
    likelihoods.set(logLikelihood, first);
    for (let row = 0; row < part.rows; row++) {
      const surprising = Array.from(columns.subarray(row * named, (row + 1) * named), (dim) => {
        return `${csvField(nameOfDimension(dim, network.names))},${surprise[row * network.dimensions + dim]!.toFixed(6)}`;
      });
      lines.push([String(first + row + 1), logLikelihood[row]!.toFixed(6), ...surprising].join(','));
    }
  }
  await writeOutput(file, '--per-row', `${lines.join('\n')}\n`);
  return likelihoods;
}

/** @throws UsageError for what only the model of a table can be asked */
function refuseTableWords({ flag, missingMeans }: EvaluateOptions): void {
  const said = [flag === undefined ? null : '--flag', missingMeans === undefined ? null : '--missing-means'].find(
    (word) => word !== null,
  );
  if (said === undefined) return;
  throw new UsageError({
    got: `${said} for a model of bits`,
    expected: 'the model of a table',
    where: 'NETWORK',
    remedy: '--worst shows the oddest rows, --per-row has the likelihood of each.',
  });
}
