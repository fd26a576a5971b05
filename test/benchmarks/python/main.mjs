// npm run bench:python: rows a second of orchard-density beside LightGBM's predict by as many trees.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { pythonWith } from '../peers/environment.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';

const usage = `npm run bench:python [-- options]

  --leaves J     of a tree, of both (default 16)
  --rounds T     trees of a conditional, of both (default 100)
  --repeats N    of each measurement, of which the least counts (default 3)
  --json         one JSON document on standard output; the table then goes to standard error

Scores rows of mushrooms (112 columns, in test/data) by the wheel that npm run pack writes, without numba and with it. Processor time of one thread.`;

const pins = [
  'lightgbm==4.7.0',
  'numba==0.68.1',
  'numpy==2.4.6',
  'llvmlite==0.50.0',
  'scipy==1.17.1',
  'narwhals==2.29.0',
  'msgpack==1.2.4',
];
const ROWS = [100, 1000, 10_000, 50_000];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const line = readCommandLine('bench:python', usage, {
  leaves: { type: 'string' },
  rounds: { type: 'string' },
  repeats: { type: 'string' },
  json: { type: 'boolean' },
});
const leaves = line.whole('leaves', { from: 2, otherwise: 16 });
const rounds = line.whole('rounds', { from: 1, otherwise: 100 });
const repeats = line.whole('repeats', { from: 1, otherwise: 3 });
const print = line.values.json ? console.error : console.log;

await runPlainly('bench:python', async () => {
  const folder = temporaryFolder('bench-python');
  const python = pythonWith(pins, console.error);
  const pack = ['infra/pack/main.mjs', '--only', 'python', '--out', folder];
  execFileSync(process.execPath, pack, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const wheel = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.whl')),
  );
  const site = join(folder, 'site');
  execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', site, wheel]);
  const train = join(folder, 'train.csv');
  writeFileSync(train, gunzipSync(readFileSync(join(root, 'test/data/mushrooms/train.data.gz'))));
  const model = join(folder, 'model');
  const words = ['--leaves', leaves, '--rounds', rounds, '--patience', 0, '--no-refit', '--quiet', '--out', model];
  const command = [join(root, 'apps/cli/program/main.js'), 'train', train, ...words.map(String)];
  execFileSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const { stdout, status } = spawnSync(python, [join(root, 'test/benchmarks/python/scoring.py')], {
    input: JSON.stringify({ train, model, leaves, rounds, repeats, rows: ROWS }),
    env: { ...process.env, PYTHONPATH: site },
    stdio: ['pipe', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the measurement ended with ${status}`);
  const lines = stdout.trim().split('\n').map(JSON.parse);
  report(lines);
  if (line.values.json) console.log(JSON.stringify({ leaves, rounds, repeats, processor: cpus()[0].model, lines }));
});

function report(lines) {
  const [{ trees, treesOfLightGBM }] = lines;
  print(
    `mushrooms, J = ${leaves}: ${trees} trees, of LightGBM ${treesOfLightGBM}; ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`,
  );
  print('| rows | LightGBM, rows/s | numpy | numba | ratio, numpy | ratio, numba |');
  print('| ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const { rows, seconds } of lines) {
    const rate = (name) => Math.round(rows / seconds[name]).toLocaleString('en');
    const ratio = (name) => (seconds.LightGBM / seconds[name]).toFixed(2);
    print(
      `| ${rows} | ${rate('LightGBM')} | ${rate('numpy')} | ${rate('numba')} | ${ratio('numpy')} | ${ratio('numba')} |`,
    );
  }
}
