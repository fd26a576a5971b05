// npm run bench:families: trees of Chow and Liu by ours and by pyAgrum, one thread each, taking turns in one run on the same rows, and the ratio of the
// median times beside the test likelihood of both.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { tablesPython } from '../tables/environment.mjs';

const NAMES = ['dna', 'mushrooms', 'nltcs', 'plants', 'audio'];

const usage = `npm run bench:families [-- options]

  --only A,B    data sets of ${NAMES.join(', ')} (those that are there)
  --repeats N   repetitions, of which the median counts (3)

Data sets are looked for in ORCHARD_DATA, else ../shared/data and test/data. ORCHARD_BENCH_PYTHON names a Python with pyAgrum; without it
the one of bench:tables is made in the cache folder. The exit code is 1 where ours is not five times as fast, or less likely by over 0.02 nats.`;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const parents = [process.env.ORCHARD_DATA ?? join(root, '../shared/data'), join(root, 'test/data')];
const SELF = fileURLToPath(import.meta.url);

if (process.argv[2] === '--ours') await serve(process.argv[3], process.argv[4]);
else await runPlainly('bench:families', compare);

/** Ours, in a process of its own: learns once a line. */
async function serve(train, test) {
  const { readDataset } = await import('../../../libs/dataset/dist/index.js');
  const { countPairs, SmoothedPairs } = await import('../../../libs/pairs/dist/index.js');
  const { chowLiuForest } = await import('../../../libs/forests/dist/index.js');
  const { ChowLiu } = await import('../../../libs/chow-liu/dist/index.js');
  const [rows, held] = [await readDataset(train), await readDataset(test)];
  console.log(`node ${process.version}`);
  const columns = Uint32Array.from({ length: rows.dimensions }, (_, column) => column);
  const requests = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  while (!(await requests.next()).done) {
    const started = performance.now();
    const made = chowLiuForest(new SmoothedPairs(countPairs(rows), 1), columns);
    const seconds = (performance.now() - started) / 1000;
    const { dimensions } = rows;
    const likelihoods = { train: null, valid: null, test: null };
    const model = new ChowLiu({ dimensions, names: null, shape: null, specification: null, likelihoods, ...made });
    console.log(seconds, model.logLikelihood(held).reduce((sum, nats) => sum + nats, 0) / held.rows);
  }
}

async function compare() {
  const line = readCommandLine('bench:families', usage, { only: { type: 'string' }, repeats: { type: 'string' } });
  const repeats = line.whole('repeats', { from: 1, otherwise: 3 });
  const python = tablesPython((text) => console.error(text));
  console.log('| data | columns of rows | ours, s | pyAgrum, s | ratio | ours, nats | pyAgrum, nats |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  let isGood = true;
  for (const name of line.someOf('only', NAMES)) {
    const folder = parents.map((parent) => join(parent, name)).find((one) => existsSync(one));
    if (folder === undefined) {
      console.error(`${name} is in none of ${parents.join(', ')} (ORCHARD_DATA): left out`);
      continue;
    }
    const files = ['train', 'test'].map((split) => join(folder, `${split}.data.gz`));
    const both = [
      learner(process.execPath, [SELF, '--ours', ...files]),
      learner(python, [fileURLToPath(new URL('chow_liu.py', import.meta.url)), ...files]),
    ];
    try {
      for (const one of both) await one.next();
      const told = [[], []];
      for (let repeat = 0; repeat < repeats; repeat++)
        for (const [at, one] of both.entries()) told[at].push((await one.ask()).split(' ').map(Number));
      const [ours, theirs] = told.map((times) => median(times.map(([seconds]) => seconds)));
      const [our, their] = told.map((answers) => answers[0][1]);
      isGood &&= theirs / ours >= 5 && our > their - 0.02;
      console.log(
        `| ${name} | ${await sizeOf(files[0])} | ${ours.toPrecision(3)} | ${theirs.toPrecision(3)} | ${(theirs / ours).toFixed(0)} | ${our.toFixed(4)} | ${their.toFixed(4)} |`,
      );
    } finally {
      for (const one of both) one.close();
    }
  }
  process.exitCode = isGood ? 0 : 1;
}

async function sizeOf(file) {
  const { readDataset } = await import('../../../libs/dataset/dist/index.js');
  const { rows, dimensions } = await readDataset(file);
  return `${dimensions} x ${rows}`;
}

/** A process that answers a line with a line. */
function learner(program, words) {
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ${words[0]} ended without an answer`);
    return value;
  };
  return {
    next,
    ask: () => {
      child.stdin.write('again\n');
      return next();
    },
    close: () => child.stdin.end(),
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
