// npm run build && node test/benchmarks/variants.mjs [--data DIR] [set …]: what the ways of training that the paper
// names beside its own give.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { dataFolders, locate } from './peers/data.mjs';

/** Leaves of a tree, as the paper has them (nltcs, which it has not: as in libs/learning/logitboost). */
const leavesOf = { dna: 16, mushrooms: 8, adult: 2, nltcs: 8 };

/** What is said beside the leaves; a single tree has its own. */
const variants = {
  default: [],
  'first order': ['--gradients', 'first'],
  'logistic start': ['--start', 'logistic'],
  'logistic, first order': ['--start', 'logistic', '--gradients', 'first'],
  'exclusive columns': ['--exclusive', 'found'],
  'dropout .05': ['--dropout', '0.05'],
  'dropout .05 at .3': ['--dropout', '0.05', '--shrinkage', '0.3'],
  'dropout .1': ['--dropout', '0.1'],
  'single tree': ['--preset', 'single-tree'],
};

const usage = `node test/benchmarks/variants.mjs [options] [set …]

  --data DIR       folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --variants LIST  some of ${Object.keys(variants).join(',')} (all)
  --threads N      threads (all cores)

Trains the default preset with the paper's leaves, and the same with each option, and prints likelihoods in nats per row: of the individual selection on the
validation rows that chose it and on test rows, of the common one on both, and of both refitted on test rows. Test rows choose nothing.
Sets: ${Object.keys(leavesOf).join(', ')} (all).`;

const orchard = fileURLToPath(new URL('../../apps/cli/program/main.js', import.meta.url));
const text = { type: 'string' };
const given = readCommandLine(
  'variants',
  usage,
  { data: text, variants: text, threads: text },
  { allowPositionals: true },
);
const chosen = given.someOf('variants', Object.keys(variants));
const threads = given.whole('threads', { from: 1, otherwise: availableParallelism() });
const folders = dataFolders(given.folder('data'));
const unknown = given.positionals.filter((name) => !(name in leavesOf));
if (unknown.length > 0)
  given.refuse(`no such set: ${unknown.join(', ')}; there are ${Object.keys(leavesOf).join(', ')}.`);
const sets = given.positionals.length > 0 ? given.positionals : Object.keys(leavesOf);

function train(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [orchard, 'train', ...words.map(String), '--json', '--quiet'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(said)) : reject(new Error(`orchard train ended with ${code}`)),
    );
  });
}

function cellsOf(set, variant, { selections: { individual, common }, seconds, variant: told }) {
  const figures = [
    ...[individual.validLogLikelihood, common.validLogLikelihood],
    ...[individual.testLogLikelihood, common.testLogLikelihood],
    ...[individual.refit, common.refit].map((refit) => refit?.testLogLikelihood),
  ].map((nats) => (typeof nats === 'number' ? nats.toFixed(3) : '–'));
  const { exclusive, logistic, singleTree } = told ?? {};
  const found = [
    ...(exclusive ? [`${exclusive.columns} columns told`] : []),
    ...(logistic
      ? [`${logistic.weights} weights, λ ${logistic.penalties.map(({ penalty }) => penalty).join(', ')}`]
      : []),
    ...(singleTree ? [`${singleTree.pseudoCount} added to counts`] : []),
  ];
  return [set, variant, ...figures, String(individual.trees), seconds.total.toFixed(1), found.join('; ') || '–'];
}

const heads = [
  ...['data', 'training', 'individual, valid', 'common, valid', 'individual, test', 'common, test'],
  ...['individual, refitted', 'common, refitted', 'trees, individual', 'seconds', 'chose'],
];

await runPlainly('variants', async () => {
  const line = (cells) => console.log(`| ${cells.join(' | ')} |`);
  line(heads);
  line(heads.map((_, at) => (at > 1 && at < 10 ? '---:' : '---')));
  for (const set of sets) {
    const data = locate(set, folders);
    if (data === null) {
      console.error(`${set}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
      continue;
    }
    const test = data.train.replace('train.data.gz', 'test.data.gz');
    for (const variant of chosen) {
      const folder = await mkdtemp(join(tmpdir(), 'orchard-variants-'));
      const leaves = variant === 'single tree' ? [] : ['--leaves', leavesOf[set]];
      try {
        const words = [
          '--valid',
          data.valid,
          '--test',
          test,
          '--model',
          'lbarn',
          '--threads',
          threads,
          '--refit',
          ...leaves,
        ];
        const document = await train(data.train, ...words, ...variants[variant], '--out', join(folder, 'run'));
        line(cellsOf(set, variant, document));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  }
});
