import { BitMatrix } from '@orchard/dataset';
import { asTabular, type RowSampler, type TabularModel } from '@orchard/model';
import { Option, type Command } from 'commander';
import { askCluster, refuseBesideServer, sampledRows } from '../client/answers.js';
import { answeringServerOption } from '../client/commands.js';
import { sampleDocument } from '../documents/sample-document.js';
import { loadNetwork, loadRows, networkArgument } from '../models/load-network.js';
import { addOutputOptions, examples, outOption } from '../options/output-options.js';
import { seedOption } from '../options/repeated-options.js';
import { repeatedly, wholeNumber } from '../options/values.js';
import { counted } from '../output/figures.js';
import { drawHalfBlocks } from '../output/half-blocks.js';
import { listInPieces } from '../output/json-pieces.js';
import type { Terminal } from '../output/terminal.js';
import { encodeRows, kindOfFile, shapeFor, valuesOf } from '../output/write-rows.js';
import { rejectCopies } from '../rows/reject-copies.js';
import { addRuleOptions, type ModelAtPath } from '../tables/rules.js';
import { choosing, type SampleOptions } from '../tables/choose-rows.js';
import { sampleTable } from '../tables/sample-table.js';
import { writeOutput } from '../output/write-output.js';

/** Rows beyond this are not for a terminal. */
const MOST_SHOWN = 100;
/** Rows of a document that are written at a time. */
const SLICE_ROWS = 1024;

export function addSampleCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('sample')
    .description('Sample new rows from a model. The same seed gives the same rows on every machine.')
    .argument('<NETWORK>', networkArgument)
    .addOption(new Option('--count <n>', 'rows to sample').argParser(wholeNumber('--count', 1, 10_000_000)).default(10))
    .addOption(seedOption('seed of the samples'))
    .addOption(
      new Option('--first <n>', 'number of the first row, to sample slices')
        .argParser(wholeNumber('--first', 0, 1_000_000_000))
        .default(0),
    )
    .addOption(
      new Option(
        '--given <list>',
        'sample only rows with these values: smoker=yes,age=30..40; 0/1 data: smoker=1, or 3=1 by number; quote what has a comma, = or |: cut="(0, 1]"',
      ).argParser(repeatedly((text) => [text])),
    )
    .addOption(
      new Option(
        '--shares <list>',
        'shares that the rows are to have, sex=female:.6,male:.4 or age=..39:.5,40..:.5; once for each column',
      ).argParser(repeatedly((text) => [text])),
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
  command
    .addHelpText(
      'after',
      examples([
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
      ]),
    )
    .action(async (path: string, options: SampleOptions) => {
      // before anything is read or asked for
      if (options.out !== undefined && options.out !== '-') kindOfFile(options.out);
      if (options.server === undefined) return sample(await modelAt(path), options, terminal);
      const { model, codes } = await sampleOnCluster(path, options.server, options, terminal);
      return sample({ model, path }, { ...options, codes }, terminal);
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
  { count, seed, first, given, shares, rejectCopies: originals, rule, rules }: SampleOptions,
  terminal: Terminal,
): Promise<{ readonly model: TabularModel; readonly codes: RowSampler }> {
  refuseBesideServer({
    '--first': first === 0 ? undefined : first,
    '--given': given,
    '--shares': shares,
    '--reject-copies': originals,
    '--rule': rule,
    '--rules': rules === false ? undefined : rules,
  });
  const asked = { count, seed, rules: rules !== false };
  const answered = await askCluster(run, server, (client, id) => client.beginSampling(id, asked), terminal);
  return { model: answered.model, codes: await sampledRows(answered, count, terminal) };
}

async function sample(at: ModelAtPath, options: SampleOptions, terminal: Terminal): Promise<void> {
  const { count, seed, out } = options;
  const file = out === '-' ? undefined : out;
  const kind = file === undefined ? '.csv' : kindOfFile(file);
  const { model } = at;
  const network = model.ofBits;
  if (network === undefined) return sampleTable(at, options, terminal);
  if (kind === '.png') shapeFor(network);
  const chosen = await choosing(at, options, terminal);
  const originals =
    options.rejectCopies === undefined ? null : await loadRows(options.rejectCopies, network, {}, terminal);
  const { names, shape, dimensions } = network;
  const rows = BitMatrix.create(count, dimensions, { names, shape });
  rows.bytes.set(chosen.next(count).bytes);
  for (const remark of chosen.remarks()) terminal.note(`orchard: ${remark}`);
  const rejected =
    originals === null
      ? null
      : rejectCopies(
          {
            keyOf: (row) => keyOfBits(rows, row),
            replace: (some, own) => replaceBits(rows, some, chosen.againOf(own, some.length)),
          },
          new Set(Array.from({ length: originals.rows }, (_, row) => keyOfBits(originals, row))),
          { count, seed, file: options.rejectCopies! },
          terminal,
        );
  if (file !== undefined) {
    await writeOutput(file, '--out', encodeRows(rows, kind));
    terminal.result(`${counted(count, 'row')} in ${file}`);
  } else if (out === undefined && terminal.showsResults) await show(rows, terminal);
  else await terminal.data(encodeRows(rows, '.csv'));
  const said = sampleDocument({
    rows: count,
    columns: dimensions,
    names,
    seed,
    rejected,
    path: file ?? null,
    ...chosen.worth,
  });
  if (file === undefined) await terminal.documentInPieces(said, { values: listInPieces(valuesBySlice(rows)) });
  else terminal.document(said);
}

function* valuesBySlice(rows: BitMatrix): Generator<number[][], void> {
  for (let from = 0; from < rows.rows; from += SLICE_ROWS)
    yield valuesOf(rows.sliceRows(from, Math.min(rows.rows, from + SLICE_ROWS)));
}

function keyOfBits({ bytes, stride }: BitMatrix, row: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + row * stride, stride).toString('latin1');
}

function replaceBits(rows: BitMatrix, some: readonly number[], others: BitMatrix): void {
  some.forEach((row, at) => {
    rows.bytes.set(others.bytes.subarray(at * others.stride, (at + 1) * others.stride), row * rows.stride);
  });
}

/** The first rows on a terminal, and in a line of its own that there are more. */
async function show(rows: BitMatrix, terminal: Terminal): Promise<void> {
  const shown = rows.rows > MOST_SHOWN ? rows.selectRows(Array.from({ length: MOST_SHOWN }, (_, row) => row)) : rows;
  if (rows.shape === null) await terminal.data(encodeRows(shown, '.csv'));
  else terminal.result(drawHalfBlocks(shown, rows.shape, terminal.columns));
  if (shown === rows) return;
  const missing = counted(rows.rows - MOST_SHOWN, 'more row');
  terminal.result(`… and ${missing}: --out FILE writes all, --out - prints them`);
}
