import { asTabular, type RowSampler, type TabularModel } from '@orchard/model';
import type { Command } from 'commander';
import { askCluster, refuseBesideServer, sampledRows } from '../../client/answers.js';
import { answeringServerOption } from '../../client/commands.js';
import { loadNetwork, networkArgument } from '../../rows/load-network.js';
import { firstSaid } from '../../options/flag-of-word.js';
import { addExamples, addOutputOptions, outOption } from '../../options/output-options.js';
import { seedOption } from '../../options/repeated-options.js';
import { repeatedly, wholeNumber } from '../../options/values.js';
import type { Terminal } from '../../output/terminal.js';
import { kindOfFile } from '../../output/write-rows.js';
import { addRuleOptions, type ModelAtPath } from '../../run-folder/rules.js';
import type { SampleOptions } from './choose-rows.js';
import { sampleRows } from './sample-rows.js';

export function addSampleCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('sample')
    .description('Sample new rows from a model. The same seed gives the same rows on every machine.')
    .argument('<NETWORK>', networkArgument)
    .option('--count <n>', 'rows to sample', wholeNumber('--count', 1, 10_000_000), 10)
    .addOption(seedOption('seed of the samples'))
    .option('--first <n>', 'number of the first row, to sample slices', wholeNumber('--first', 0, 1_000_000_000), 0)
    .option(
      '--given <list>',
      'sample only rows with these values: smoker=yes,age=30..40; 0/1 data: smoker=1, or 3=1 by number; quote what has a comma, = or |: cut="(0, 1]"',
      repeatedly((text) => [text]),
    )
    .option(
      '--shares <list>',
      'shares that the rows are to have, sex=female:.6,male:.4 or age=..39:.5,40..:.5; once for each column',
      repeatedly((text) => [text]),
    )
    .option('--reject-copies <file>', 'sample anew each row that equals a row of this file, the training rows')
    .addOption(
      outOption(
        '-o, --out <file>',
        'file to write: .csv, .tsv, .json, .jsonl, .parquet, .arrow or .feather, for 0/1 data .npy too, for images .png; - is standard output, as CSV (default: -)',
      ),
    );
  command.addOption(answeringServerOption('have the workers of this coordinator sample, by slices, to the same rows'));
  addOutputOptions(addRuleOptions(command));
  addExamples(command, [
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
  ]).action(async (path: string, options: SampleOptions) => {
    // before anything is read or asked for
    if (options.out !== undefined && options.out !== '-') kindOfFile(options.out);
    if (options.server === undefined) return sampleRows(await modelAt(path), options, terminal);
    const { model, codes } = await sampleOnCluster(path, options.server, options, terminal);
    return sampleRows({ model, path }, { ...options, codes }, terminal);
  });
}

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
