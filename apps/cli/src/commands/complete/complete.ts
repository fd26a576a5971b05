import { drawsFor, points } from '@orchard/analysis';
import { asTabular, isMostProbable } from '@orchard/model';
import { families } from '@orchard/registry';
import { UsageError } from '../../output/errors.js';
import { loadNetwork, networkArgument, type LoadedNetwork } from '../../rows/load-network.js';
import { datasetOptions } from '../../options/dataset-options.js';
import { seedOption, threadsOption, outOption } from '../../options/repeated-options.js';
import { secondFileOptions } from '../../options/table-options.js';
import { oneOf, repeatedly, share, wholeNumber } from '../../options/values.js';
import type { Terminal } from '../../output/terminal.js';
import { kindOfFile } from '../../output/write-rows.js';
import { declareRowsCommand } from '../../options/query-option.js';
import { completeFile } from './complete-file.js';
import { ruleOptionsOfModel } from '../../run-folder/rules.js';
import { option, type Parsed } from '../../options/option.js';

const completeOptions = () => [
  seedOption('seed of the samples'),
  option(
    '--samples <n>',
    'particles per row, if known values do not come first in the ordering: more are slower and more exact (default: 256; tables: 1024)',
    wholeNumber(1, 65_536),
  ),
  outOption(
    '-o, --out <file>',
    'file to write: .csv, .tsv or .txt, written as DATA is where that is such a text; .json, .jsonl, .parquet, .arrow or .feather, for 0/1 data .npy or .png too; - is standard output, as DATA or CSV (default: -)',
  ),
  option(
    '--point <how>',
    'fill in the mean, median or mode of what a value may be, instead of a sample; of labels and of 0/1 data the most probable value',
    oneOf(points),
  ),
  option(
    '--points <list>',
    'the same for single columns, wage=mean,age=mode; the others as --point has it (default: median)',
    repeatedly(),
  ),
  option(
    '--interval <share>',
    'print, for each missing value, its point and the interval that holds it with this probability, such as 0.9',
    share,
  ),
  option(
    '--draws <n>',
    'fill in each row this often; the column "draw" numbers the copies; with --point and --interval: samples that they are made of, where the model does not know them exactly (default: 100)',
    wholeNumber(1, 1000),
  ),
  option(
    '--probabilities',
    'print how likely each value of a missing cell is, instead of a sample: exactly where the model can, else by 200 samples',
  ).conflicts(['draws', 'mostProbable', 'point', 'points', 'interval']),
  option(
    '--most-probable',
    'the most probable values, instead of a sample; of --model marginals, chow-liu and one cutset network',
  ).conflicts(['draws', 'point', 'points', 'interval']),
  threadsOption(),
  ...datasetOptions(),
  ...secondFileOptions(),
  ...ruleOptionsOfModel(),
];

export type CompleteTableOptions = Parsed<typeof completeOptions>;

export const addCompleteCommand = declareRowsCommand(
  {
    name: 'complete',
    description: 'Fill in missing values: sample them from their distribution given the known values of the row.',
    places: [['<NETWORK>', networkArgument]],
    rows: ['DATA', 'rows with the same columns; ?, NaN or an empty cell is a missing value; - reads standard input'],
    options: completeOptions,
    examples: [
      ['orchard complete run/network.msgpack gaps.csv --out filled.csv', ''],
      ['orchard complete run/network.msgpack gaps.csv --seed 1 --samples 2000', 'another sample, more exact'],
      ["orchard complete run/network.msgpack gaps.csv --missing '-1,?'", 'other marks of missing values'],
      ['orchard complete run table.csv --point median', 'the same value every time'],
      ['orchard complete run table.csv --points wage=mean', 'wage by its mean, the others by the median'],
      ['orchard complete run table.csv --interval 0.9', 'how sure each value is'],
      ['orchard complete run table.csv --rule "start <= end"', 'every filled row follows it'],
      ['orchard complete run table.csv --probabilities', 'what each missing cell may be'],
    ],
    notes: [
      'Rows whose known values come first in the ordering are filled in exactly, and so are rows with few missing values.',
      'Other rows use sequential Monte Carlo: particles branch at each unknown value and are weighted at each known one.',
      'The log-likelihood of the known values has a standard error; the effective sample size measures how many',
      'independent candidates would have the same error.',
    ],
  },
  complete,
);

async function complete(path: string, data: string, options: CompleteTableOptions, terminal: Terminal): Promise<void> {
  // too few draws and other kinds of files are refused before any work is done
  if (options.out !== undefined && options.out !== '-') kindOfFile(options.out);
  if (options.interval !== undefined) drawsFor(options.interval, options.draws, '--draws');
  const loaded = await loadNetwork(path);
  if (options.mostProbable === true && !isMostProbable(loaded.network)) throw noMostProbable(loaded);
  await completeFile({ ...loaded, model: asTabular(loaded.network) }, data, options, terminal);
}

function noMostProbable({ network, path }: LoadedNetwork): UsageError {
  const able = families.all.filter(({ answers }) => answers?.mostProbable === 'exact');
  return new UsageError({
    got: `${path}, a model of the family ${network.family}`,
    expected: `a model that tells this exactly: ${able.map(({ name }) => name).join(', ')}; some of others, as orchard compare-models says`,
    where: '--most-probable',
    remedy:
      'Leave the option out for a sample, or train one of those with --model: orchard compare-models says which suits.',
  });
}
