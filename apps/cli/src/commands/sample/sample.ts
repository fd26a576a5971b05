import { asTabular, type RowSampler, type TabularModel } from '@orchard/model';
import { askCluster, refuseBesideServer, sampledRows } from '../../client/answers.js';
import { answeringServerOption } from '../../client/commands.js';
import { loadNetwork, networkArgument } from '../../rows/load-network.js';
import { firstSaid } from '../../options/flag-of-word.js';
import { declareCommand } from '../../options/add-command.js';
import { seedOption, outOption } from '../../options/repeated-options.js';
import { repeatedly, wholeNumber } from '../../options/values.js';
import type { Terminal } from '../../output/terminal.js';
import { kindOfFile } from '../../output/write-rows.js';
import { type ModelAtPath, ruleOptionsOfModel } from '../../run-folder/rules.js';
import type { SampleOptions } from './choose-rows.js';
import { sampleRows } from './sample-rows.js';
import { option, type Parsed } from '../../options/option.js';

const sampleOptions = () => [
  option('--count <n>', 'rows to sample', wholeNumber(1, 10_000_000), 10),
  seedOption('seed of the samples'),
  option('--first <n>', 'number of the first row, to sample slices', wholeNumber(0, 1_000_000_000), 0),
  option(
    '--given <list>',
    'sample only rows with these values: smoker=yes,age=30..40; 0/1 data: smoker=1, or 3=1 by number; quote what has a comma, = or |: cut="(0, 1]"',
    repeatedly(),
  ),
  option(
    '--shares <list>',
    'shares that the rows are to have, sex=female:.6,male:.4 or age=..39:.5,40..:.5; once for each column',
    repeatedly(),
  ),
  option('--reject-copies <file>', 'sample anew each row that equals a row of this file, the training rows'),
  outOption(
    '-o, --out <file>',
    'file to write: .csv, .tsv, .json, .jsonl, .parquet, .arrow or .feather, for 0/1 data .npy too, for images .png; - is standard output, as CSV (default: -)',
  ),
  answeringServerOption('have the workers of this coordinator sample, by slices, to the same rows'),
  ...ruleOptionsOfModel(),
];

export type SampleWords = Parsed<typeof sampleOptions>;

export const addSampleCommand = declareCommand(
  {
    name: 'sample',
    description: 'Sample new rows from a model. The same seed gives the same rows on every machine.',
    places: [['<NETWORK>', networkArgument]],
    options: sampleOptions,
    examples: [
      ['orchard sample run/network.msgpack --count 1000 --out new.csv', ''],
      ['orchard sample run/network.msgpack --count 64 --seed 3 --out digits.png', ''],
      ['orchard sample run/network.msgpack --count 8', 'print them'],
      ['orchard sample run --first 500000 --count 500000 --out half.parquet', 'the second half of a million'],
      ['orchard sample run --count 1000 --reject-copies table.csv --out new.csv', 'no row of the training file'],
      ['orchard sample run --given smoker=yes,age=30..40 --count 100 --out what-if.csv', 'what if'],
      ['orchard sample run --shares sex=female:.6,male:.4 --count 1000 --out new.csv', 'other shares'],
      ['orchard sample run --rule "start <= end" --count 1000 --out new.csv', 'no row breaks the rule'],
      ['orchard sample run/network.msgpack --count 1000 | sort | uniq -c', 'for another program'],
      ['orchard sample 3fa2c1 --server http://host:8080 --count 5000000 --out new.parquet', 'on a cluster'],
    ],
  },
  async (path, options, terminal) => {
    // before anything is read or asked for
    if (options.out !== undefined && options.out !== '-') kindOfFile(options.out);
    if (options.server === undefined) return sampleRows(await modelAt(path), options, terminal);
    const { model, codes } = await sampleOnCluster(path, options.server, options, terminal);
    return sampleRows({ model, path }, { ...options, codes }, terminal);
  },
);

async function modelAt(path: string): Promise<ModelAtPath> {
  const { network, path: at } = await loadNetwork(path);
  return { model: asTabular(network), path: at };
}

/** @throws UsageError for ways to sample that are not by the number of a row alone */
async function sampleOnCluster(
  run: string,
  server: string,
  options: SampleOptions,
  terminal: Terminal,
): Promise<{ readonly model: TabularModel; readonly codes: RowSampler }> {
  const { count, seed, first, rules } = options;
  const asksFor = { ...options, first: first === 0 ? undefined : first, rules: rules === false ? undefined : rules };
  refuseBesideServer(firstSaid(asksFor, ['first', 'given', 'shares', 'rejectCopies', 'rule', 'rules']));
  const asked = { count, seed, rules: rules !== false };
  const answered = await askCluster(run, server, (client, id) => client.beginSampling(id, asked), terminal);
  return { model: answered.model, codes: await sampledRows(answered, count, terminal) };
}
