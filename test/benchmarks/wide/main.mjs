// `npm run bench:wide`: haplotypes of 1,000 sites and more, trained on their neighbours; likelihood, time, memory and
// size by the number of sites.
import { mkdirSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { markdownTable } from '../markdown.mjs';
import { pythonWith } from '../peers/environment.mjs';
import { must } from '../public/orchard.mjs';
import { runner } from '../tables/command.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';

/** What simulates haplotypes, complete: nothing else is installed. */
const pins = [
  ...['msprime==1.4.4', 'tskit==1.0.3', 'numpy==2.4.6', 'demes==0.2.3', 'newick==1.11.0', 'ruamel.yaml==0.19.1'],
  ...['jsonschema==4.26.0', 'jsonschema-specifications==2025.9.1', 'referencing==0.37.0', 'rpds-py==2026.9.1'],
  ...['attrs==26.1.0', 'typing_extensions==4.16.0'],
];

/** Test rows of which a tenth of the cells is hidden and filled in: each takes seconds. */
const FILLED_ROWS = 20;

const usage = `npm run bench:wide -- [options]

  --sites A,B      numbers of sites, each a run of its own (1000,10000)
  --rows N         haplotypes, of which 80 % train, 10 % validate, 10 % test (5000)
  --seed N         seed of the simulation (1)
  --train WORDS    how to train, as one text (--variant near-predictors=100 --leaves 8 --rounds 200 --shrinkage 0.1 --feature-fraction 1)
  --threads N      threads of training (2)
  --limit SECONDS  processor time of each program (36000)
  --json           one JSON document on standard output instead of Markdown`;

const say = (text) => process.stderr.write(`${text}\n`);
const local = (file) => fileURLToPath(new URL(file, import.meta.url));
const commandLine = local('../../../apps/cli/program/main.js');

function options() {
  const text = { type: 'string' };
  const given = readCommandLine('bench:wide', usage, {
    ...{ sites: text, rows: text, seed: text, train: text, threads: text, limit: text },
    json: { type: 'boolean', default: false },
  });
  const sites = (given.values.sites ?? '1000,10000').split(',').map(Number);
  if (!sites.every((count) => Number.isSafeInteger(count) && count > 1))
    given.refuse(`got --sites ${given.values.sites}, expected whole numbers above 1 with commas between.`);
  const neighbours = '--variant near-predictors=100 --leaves 8 --rounds 200 --shrinkage 0.1 --feature-fraction 1';
  return {
    sites,
    rows: given.whole('rows', { from: 100, otherwise: 5000 }),
    seed: given.whole('seed', { from: 1, otherwise: 1 }),
    train: (given.values.train ?? neighbours).split(' ').filter((word) => word !== ''),
    threads: given.whole('threads', { from: 1, otherwise: 2 }),
    limit: given.whole('limit', { from: 1, otherwise: 36_000 }),
    json: given.values.json,
  };
}

/** One number of sites: the data, a run, 1,000 sampled rows, the test rows scored, and what the peers give these. */
function measure(sites, given, python, folder) {
  mkdirSync(folder);
  const run = runner({ python, core: null, limit: given.limit, memory: 0, folder });
  const file = (name) => join(folder, name);
  const orchard = (...words) => {
    const ran = run([process.execPath, commandLine, ...words, '--json'], { hasMemoryLimit: false });
    return { ...ran, answer: must(ran) };
  };
  const script = (...words) => run([python, local('haplotypes.py'), ...words.map(String)]);
  const before = loadavg()[0];
  say(`${sites} sites: simulating ${given.rows} haplotypes …`);
  script('make', folder, sites, given.rows, given.seed);
  say(`${sites} sites: training …`);
  const splits = ['--valid', file('valid.npy'), '--test', file('test.npy')];
  const how = [...given.train, '--threads', String(given.threads), '--no-report'];
  const trained = orchard('train', file('train.npy'), ...splits, '--out', file('run'), ...how);
  const sampled = orchard('sample', file('run'), '--count', '1000', '--out', file('samples.npy'));
  const scored = orchard('evaluate', file('run'), file('test.npy'));
  script('mask', folder, FILLED_ROWS);
  // 0/1 data are filled in by their most probable values
  const filled = orchard('complete', file('run'), file('masked.csv'), '--point', 'mode', '--out', file('filled.csv'));
  say(`${sites} sites: the Markov chain and the copying model …`);
  const peers = must(script('judge', folder, file('samples.npy'), file('filled.csv')));
  const { logLikelihood, standardError } = scored.answer;
  const bytes = statSync(file('run/network.msgpack')).size;
  const load = [before, loadavg()[0]];
  return { sites, logLikelihood, standardError, peers, bytes, trained, sampled, scored, filled, load };
}

const fixed = (digits) => (value) => value.toFixed(digits);

function report(found, { rows, seed, train, threads }) {
  const perSite = (nats, sites) => (nats / sites).toFixed(5);
  const likelihoods = found.map(({ sites, logLikelihood, standardError, peers }) => [
    ...[sites, perSite(logLikelihood, sites), perSite(standardError, sites)],
    ...[perSite(peers.copying, sites), perSite(peers.markov, sites)],
  ]);
  const costs = found.map(({ sites, trained, bytes, sampled, scored }) => [
    ...[sites, trained.processor.toFixed(0), trained.wall.toFixed(0), trained.peakMiB.toFixed(0)],
    ...[(bytes / 2 ** 20).toFixed(1), sampled.processor.toFixed(1), scored.processor.toFixed(1)],
  ]);
  const linkage = found.flatMap(({ sites, peers }) =>
    ['test', 'samples'].map((of) => [sites, of, ...peers.linkage[of].map(fixed(4))]),
  );
  const imputed = found.map(({ sites, peers: { imputation }, filled }) => {
    const { orchard, copying, common } = imputation.wrong;
    return [sites, imputation.cells, ...[orchard, copying, common].map(fixed(4)), filled.processor.toFixed(1)];
  });
  const distances = found[0].peers.distances.map((distance) => `${distance} apart`);
  const loads = found.flatMap(({ load }) => load);
  return [
    `${rows} haplotypes, seed ${seed}; orchard train ${train.join(' ')} --threads ${threads}; load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.`,
    'Log-likelihood of test rows, nats per site:',
    markdownTable(['sites', 'orchard', 'standard error', 'copying model', 'Markov chain'], likelihoods),
    'The copying model has its switch and error from validation rows: ' +
      found.map(({ sites, peers }) => `${sites} sites ${peers.chosen.join(' and ')}`).join(', ') +
      '. Columns: processor seconds and wall seconds of training, peak MiB of training, MiB of the model, processor seconds to sample 1,000 rows and to score the test rows.',
    markdownTable(['sites', 'processor', 'wall', 'peak', 'model', 'sample', 'score'], costs),
    'Imputation: share of hidden cells (a tenth, drawn) that are filled in wrongly.',
    markdownTable(['sites', 'cells', 'orchard', 'copying model', 'commoner allele', 'seconds, orchard'], imputed),
    'Linkage: mean squared correlation of two sites.',
    markdownTable(['sites', 'rows', ...distances], linkage),
  ].join('\n\n');
}

function main() {
  const given = options();
  const root = temporaryFolder('bench-wide');
  const python = pythonWith(pins, say);
  const found = given.sites.map((sites) => measure(sites, given, python, join(root, String(sites))));
  console.log(given.json ? JSON.stringify(found) : report(found, given));
}

await runPlainly('bench:wide', main);
