// npm run bench:completion: filling missing values by sequential Monte Carlo beside one importance step, and what the
// answers are worth.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { dataFolders, locate } from '../peers/data.mjs';
import { locateTable } from '../tables/tables.mjs';
import { bits } from './bits.mjs';
import { judge } from './judge.mjs';
import { table } from './table.mjs';

const known = ['dna', 'ocr_letters', 'binarized_mnist', 'hi', 'males'];
const ofTables = ['hi', 'males'];
const usage = `npm run bench:completion [-- options]

  --sets LIST      some of ${known.join(',')} (all)
  --rows N         test rows, evenly picked (200)
  --holes LIST     shares of the values that are hidden (0.25,0.5,0.75)
  --samples N      particles a row (${bits.samples}; of a table ${table.samples})
  --draws N        answers of each method, by seeds 0..N-1 (8)
  --networks DIR   a folder that keeps the trained networks, and is read again (else they are trained into a temporary one)
  --data DIR       folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --json           one JSON document on standard output; the table then goes to standard error

Trains each set with 32 leaves, 150 rounds and shrinkage 0.05 (binarized_mnist: about 4 minutes on two cores), hides values of test
rows at random, and fills them: by importance with N candidates, sequentially with N particles, and by importance in the
time that the latter took. Of a table (${ofTables.join(', ')}) whole cells are hidden, and hit where their code is; cells that training had as
holes or never saw stay known, since no blank is filled by such. Seconds are processor time, the least of the draws.`;

const orchard = fileURLToPath(new URL('../../../apps/cli/program/main.js', import.meta.url));
const training = ['--leaves', '32', '--rounds', '150', '--shrinkage', '0.05', '--quiet'];

async function networkOf(set, kind, data, folder) {
  const out = join(folder, set);
  const file = join(out, 'network.msgpack');
  if (!existsSync(file)) {
    const words = [orchard, 'train', ...kind.training(data), '--out', out, ...training];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    if (code !== 0) throw new Error(`orchard train ended with ${code}`);
  }
  return readFile(file);
}

const heads = [
  'data',
  'holes',
  'method',
  'samples',
  'hits',
  'log P hidden',
  'by evidence',
  'log P known',
  '± seeds',
  '± said',
  'ESS',
  'least',
  's',
];

function textsOf(set, share, entry) {
  const said = entry.logEvidenceErrorReported;
  return [
    set,
    share,
    entry.method,
    entry.samples,
    entry.hits.toFixed(4),
    entry.logProbabilityOfHidden.toFixed(4),
    entry.logProbabilityOfHiddenByEvidence.toFixed(4),
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
  const asked = given.whole('samples', { from: 1 });
  const draws = given.whole('draws', { from: 2, otherwise: 8 });
  const folders = dataFolders(given.folder('data'));
  const kept = given.folder('networks');
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'orchard-completion-')));
  const results = [];
  try {
    print(`| ${heads.join(' | ')} |\n| ${heads.map(() => '---').join(' | ')} |`);
    for (const set of sets) {
      const kind = ofTables.includes(set) ? table : bits;
      const data = kind === table ? locateTable(set, folders) : locate(set, folders);
      if (data === null) {
        console.error(`${set}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
        continue;
      }
      const hide = await kind.open(await networkOf(set, kind, data, folder), data, rows);
      const samples = asked ?? kind.samples;
      for (const share of shares) {
        const { cells, importance, sequential } = hide(share);
        const show = (method, count, complete) => {
          const answer = (seed) => complete({ seed, samples: count });
          const entry = judge({ method, samples: count, draws, cells, complete: answer });
          results.push({ set, holes: share, ...entry });
          print(`| ${textsOf(set, share, entry).join(' | ')} |`);
          return entry;
        };
        const before = show('importance', samples, importance);
        const now = show('sequential', samples, sequential);
        const asLong = Math.max(1, Math.round((samples * now.seconds) / before.seconds));
        show('importance, as long', asLong, importance);
      }
    }
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
  if (given.values.json) console.log(JSON.stringify({ rows, draws, training: training.slice(0, -1), results }));
}

await runPlainly('bench:completion', main);
