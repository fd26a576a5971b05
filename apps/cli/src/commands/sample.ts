import { Option, type Command } from 'commander';
import { loadNetwork, networkArgument } from '../load-network.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { seedOption } from '../options/repeated-options.js';
import { wholeNumber } from '../options/values.js';
import { counted } from '../output/figures.js';
import { drawHalfBlocks } from '../output/half-blocks.js';
import type { Terminal } from '../output/terminal.js';
import { encodeRows, kindOfFile, shapeFor, valuesOf } from '../output/write-rows.js';
import { writeOutput } from '../write-output.js';

interface SampleOptions {
  readonly count: number;
  readonly seed: number;
  readonly out?: string;
}

/** Rows beyond this are not for a terminal. */
const MOST_SHOWN = 100;

export function addSampleCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('sample')
    .description('Draw rows from a network: the same ones for the same seed on every machine.')
    .argument('<NETWORK>', networkArgument)
    .addOption(new Option('--count <n>', 'how many').argParser(wholeNumber('--count', 1, 10_000_000)).default(10))
    .addOption(seedOption('which ones'))
    .option('--out <file>', 'x.csv, x.npy, or, where a row is an image, x.png; without it they are shown here');
  addOutputOptions(command);
  command
    .addHelpText(
      'after',
      examples([
        ['orchard sample run/network.msgpack --count 1000 --out new.csv', ''],
        ['orchard sample run/network.msgpack --count 64 --seed 3 --out digits.png', ''],
        ['orchard sample run/network.msgpack --count 8', 'here and now'],
      ]),
    )
    .action(async (path: string, options: SampleOptions) => sample(path, options, terminal));
}

async function sample(path: string, { count, seed, out }: SampleOptions, terminal: Terminal): Promise<void> {
  const kind = out === undefined ? null : kindOfFile(out);
  const { network } = await loadNetwork(path);
  if (kind === '.png') shapeFor(network);
  const rows = network.sample(count, seed);
  if (out !== undefined && kind !== null) {
    await writeOutput(out, '--out', encodeRows(rows, kind));
    terminal.result(`${counted(count, 'row')} in ${out}`);
  } else if (!terminal.json) {
    const shown = rows.rows > MOST_SHOWN ? rows.selectRows(Array.from({ length: MOST_SHOWN }, (_, row) => row)) : rows;
    const text =
      rows.shape === null
        ? new TextDecoder().decode(encodeRows(shown, '.csv'))
        : drawHalfBlocks(shown, rows.shape, terminal.columns);
    terminal.result(text.trimEnd());
    if (shown !== rows)
      terminal.note(`orchard: the first ${String(MOST_SHOWN)} of ${counted(count, 'row')}; --out writes all`);
  }
  terminal.document({
    rows: count,
    dimensions: network.dimensions,
    seed,
    path: out ?? null,
    ...(out === undefined ? { values: valuesOf(rows) } : {}),
  });
}
