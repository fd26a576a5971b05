// npm run bench:completion: filling holes by sequential Monte Carlo beside one importance step, and what the answers are worth.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BitMatrix, readDataset } from '@orchard/dataset';
import { Network } from '@orchard/model';
import { RandomStream } from '@orchard/numerics';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { dataFolders, locate } from '../peers/data.mjs';
import { completeByImportance } from './importance.mjs';

const known = ['dna', 'ocr_letters', 'binarized_mnist'];
const usage = `npm run bench:completion [-- options]

  --sets LIST      some of ${known.join(',')} (all)
  --rows N         test rows, evenly picked (200)
  --holes LIST     shares of the values that are hidden (0.25,0.5,0.75)
  --samples N      particles a row (256)
  --draws N        answers of each method, by seeds 0..N-1 (8)
  --networks DIR   a folder that keeps the trained networks, and is read again (else they are trained into a temporary one)
  --data DIR       folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --json           one JSON document on standard output; the table then goes to standard error

Trains each set with 32 leaves, 150 rounds and shrinkage 0.05 (binarized_mnist: about 4 minutes on two cores), hides values of test
rows at random, and fills them: by importance with N candidates, sequentially with N particles, and by importance in the
time that the latter took. Seconds are processor time, the least of the draws.`;

const orchard = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
const training = ['--leaves', '32', '--rounds', '150', '--shrinkage', '0.05', '--quiet'];

async function networkOf(set, data, folder) {
  const out = join(folder, set);
  const file = join(out, 'network.msgpack');
  if (!existsSync(file)) {
    const words = [orchard, 'train', data.train, '--valid', data.valid, '--out', out, ...training];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code !== 0) throw new Error(`orchard train ended with ${code}`);
  }
  return Network.from(await readFile(file));
}

/** Rows evenly picked, so that a set sorted by something keeps its mixture. */
function picked(matrix, count) {
  const rows = Math.min(count, matrix.rows);
  return matrix.selectRows(Array.from({ length: rows }, (_, at) => Math.floor((at * matrix.rows) / rows)));
}

/** A 1 for each value that is not hidden. */
function maskOf({ rows, dimensions }, share) {
  const mask = BitMatrix.create(rows, dimensions);
  const stream = new RandomStream(0, 2000);
  for (let row = 0; row < rows; row++)
    for (let dim = 0; dim < dimensions; dim++) mask.set(row, dim, stream.uniform() >= share);
  return mask;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rootMeanSquare = (values) => Math.sqrt(mean(values.map((value) => value ** 2)));

/**
 * Answers of one method: hits of a draw; log P of what is hidden by the draws' own frequencies, (hits + 1/2) / (draws + 1), which
 * does not favour a method that misjudges the evidence; log of the estimated P(known), which is too low on average, so higher is
 * nearer; how far that strays between seeds.
 */
function judge(name, samples, truth, mask, draws, complete) {
  const { rows, dimensions } = truth;
  const hits = new Uint32Array(rows * dimensions);
  const evidence = Array.from({ length: rows }, () => []);
  const sizes = [];
  const errors = [];
  const seconds = [];
  for (let seed = 0; seed < draws; seed++) {
    const started = process.cpuUsage();
    const completion = complete(seed);
    const { user, system } = process.cpuUsage(started);
    seconds.push((user + system) / 1e6);
    sizes.push(...completion.effectiveSampleSize);
    errors.push(...(completion.logEvidenceError ?? []));
    for (let row = 0; row < rows; row++) {
      evidence[row].push(completion.logEvidence[row]);
      for (let dim = 0; dim < dimensions; dim++)
        if (completion.matrix.get(row, dim) === truth.get(row, dim)) hits[row * dimensions + dim]++;
    }
  }
  let holes = 0;
  let matched = 0;
  let logs = 0;
  for (let row = 0; row < rows; row++)
    for (let dim = 0; dim < dimensions; dim++) {
      if (mask.get(row, dim) === 1) continue;
      holes++;
      matched += hits[row * dimensions + dim];
      logs += Math.log((hits[row * dimensions + dim] + 0.5) / (draws + 1));
    }
  const straying = evidence.map((ofRow) =>
    Math.sqrt((mean(ofRow.map((x) => (x - mean(ofRow)) ** 2)) * draws) / (draws - 1)),
  );
  return {
    method: name,
    samples,
    hits: matched / holes / draws,
    logProbabilityOfHidden: logs / holes,
    logEvidence: mean(evidence.map(mean)),
    logEvidenceDeviation: rootMeanSquare(straying),
    logEvidenceErrorReported: errors.length === 0 ? null : rootMeanSquare(errors),
    effectiveSampleSize: mean(sizes),
    leastEffectiveSampleSize: sizes.reduce((a, b) => Math.min(a, b)),
    seconds: seconds.reduce((a, b) => Math.min(a, b)),
  };
}

const heads = [
  'data',
  'holes',
  'method',
  'samples',
  'hits',
  'log P hidden',
  'log P known',
  '± seeds',
  '± said',
  'ESS',
  'least',
  's',
];

function cells(set, share, entry) {
  const said = entry.logEvidenceErrorReported;
  return [
    set,
    share,
    entry.method,
    entry.samples,
    entry.hits.toFixed(4),
    entry.logProbabilityOfHidden.toFixed(4),
    entry.logEvidence.toFixed(2),
    entry.logEvidenceDeviation.toFixed(2),
    said === null ? '-' : said.toFixed(2),
    entry.effectiveSampleSize.toFixed(0),
    entry.leastEffectiveSampleSize.toFixed(1),
    entry.seconds.toFixed(2),
  ];
}

async function main() {
  const text = { type: 'string' };
  const options = { sets: text, rows: text, holes: text, samples: text, draws: text, networks: text, data: text };
  const given = readCommandLine('bench:completion', usage, { ...options, json: { type: 'boolean' } });
  const print = given.values.json ? console.error : console.log;
  const shares = (given.values.holes ?? '0.25,0.5,0.75').split(',').map(Number);
  if (!shares.every((share) => share > 0 && share < 1))
    given.refuse(`got --holes ${given.values.holes}, expected shares above 0 and below 1, with commas between.`);
  const sets = given.someOf('sets', known);
  const rows = given.whole('rows', { from: 1, otherwise: 200 });
  const samples = given.whole('samples', { from: 1, otherwise: 256 });
  const draws = given.whole('draws', { from: 2, otherwise: 8 });
  const folders = dataFolders(given.folder('data'));
  const kept = given.folder('networks');
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'orchard-completion-')));
  const results = [];
  try {
    print(`| ${heads.join(' | ')} |\n| ${heads.map(() => '---').join(' | ')} |`);
    for (const set of sets) {
      const data = locate(set, folders);
      if (data === null) {
        console.error(`${set}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
        continue;
      }
      const network = await networkOf(set, data, folder);
      const truth = picked(await readDataset(data.train.replace('train.data.gz', 'test.data.gz')), rows);
      for (const share of shares) {
        const mask = maskOf(truth, share);
        const blanks = () => {
          const matrix = BitMatrix.create(truth.rows, truth.dimensions);
          matrix.bytes.forEach((_, at) => (matrix.bytes[at] = truth.bytes[at] & mask.bytes[at]));
          return matrix;
        };
        const show = (...how) => {
          const entry = judge(...how);
          results.push({ set, holes: share, ...entry });
          print(`| ${cells(set, share, entry).join(' | ')} |`);
          return entry;
        };
        const importance = (count) => (seed) => completeByImportance(network, blanks(), mask, { seed, samples: count });
        const before = show('importance', samples, truth, mask, draws, importance(samples));
        const now = show('sequential', samples, truth, mask, draws, (seed) =>
          network.complete(truth, mask, { seed, samples }),
        );
        const asLong = Math.max(1, Math.round((samples * now.seconds) / before.seconds));
        show('importance, as long', asLong, truth, mask, draws, importance(asLong));
      }
    }
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
  if (given.values.json) console.log(JSON.stringify({ rows, draws, training: training.slice(0, -1), results }));
}

await runPlainly('bench:completion', main);
