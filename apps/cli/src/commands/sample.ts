import type { BitMatrix } from '@orchard/dataset';
import { Option, type Command } from 'commander';
import { sampleGivenBits } from '../rows/given-bits.js';
import { loadNetwork, networkArgument } from '../models/load-network.js';
import { addOutputOptions, examples, outOption } from '../options/output-options.js';
import { seedOption } from '../options/repeated-options.js';
import { repeatedly, wholeNumber } from '../options/values.js';
import { counted } from '../output/figures.js';
import { drawHalfBlocks } from '../output/half-blocks.js';
import type { Terminal } from '../output/terminal.js';
import { encodeRows, kindOfFile, shapeFor, valuesOf } from '../output/write-rows.js';
import { tableModelOf } from '../tables/load-table-rows.js';
import { sampleTable } from '../tables/sample-table.js';
import { writeOutput } from '../output/write-output.js';

interface SampleOptions {
  readonly count: number;
  readonly seed: number;
  readonly out?: string;
  readonly given?: readonly string[];
}

/** Rows beyond this are not for a terminal. */
const MOST_SHOWN = 100;

export function addSampleCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('sample')
    .description('Sample new rows from a model. The same seed gives the same rows on every machine.')
    .argument('<NETWORK>', networkArgument)
    .addOption(new Option('--count <n>', 'rows to sample').argParser(wholeNumber('--count', 1, 10_000_000)).default(10))
    .addOption(seedOption('seed of the samples'))
    .addOption(
      new Option(
        '--given <list>',
        'sample only rows with these values: smoker=yes,age=30..40; 0/1 data: smoker=1, or 3=1 by number; quote what has a comma, = or |: cut="(0, 1]"',
      ).argParser(repeatedly((text) => [text])),
    )
    .addOption(
      outOption(
        '-o, --out <file>',
        'file to write: .csv, .npy, or .png for rows that are images; - is standard output, as CSV (default: -)',
      ),
    );
  addOutputOptions(command);
  command
    .addHelpText(
      'after',
      examples([
        ['orchard sample run/network.msgpack --count 1000 --out new.csv', ''],
        ['orchard sample run/network.msgpack --count 64 --seed 3 --out digits.png', ''],
        ['orchard sample run/network.msgpack --count 8', 'print them'],
        ['orchard sample run --given smoker=yes,age=30..40 --count 100 --out what-if.csv', 'what if'],
        ['orchard sample run/network.msgpack --count 1000 | sort | uniq -c', 'for another program'],
      ]),
    )
    .action(async (path: string, options: SampleOptions) => sample(path, options, terminal));
}

async function sample(path: string, options: SampleOptions, terminal: Terminal): Promise<void> {
  const { count, seed, out } = options;
  const file = out === '-' ? undefined : out;
  const kind = file === undefined ? '.csv' : kindOfFile(file);
  const loaded = await loadNetwork(path);
  const model = tableModelOf(loaded);
  if (model !== null) return sampleTable(model, options, terminal);
  const { network } = loaded;
  if (kind === '.png') shapeFor(network);
  const { given = [] } = options;
  const rows =
    given.length === 0 ? network.sample(count, seed) : sampleGivenBits(network, given, { count, seed }, terminal);
  if (file !== undefined) {
    await writeOutput(file, '--out', encodeRows(rows, kind));
    terminal.result(`${counted(count, 'row')} in ${file}`);
  } else if (out === undefined && terminal.showsResults) await show(rows, terminal);
  else await terminal.data(encodeRows(rows, '.csv'));
  terminal.document({
    rows: count,
    dimensions: network.dimensions,
    seed,
    path: file ?? null,
    ...(file === undefined ? { values: valuesOf(rows) } : {}),
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
