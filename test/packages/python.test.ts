import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster } from '../../infra/cluster/index.mjs';
import { compiling, drawing, learning, pythonWith } from '../benchmarks/peers/environment.mjs';
import { dataFile, root } from '../cli/orchard.js';
import { lacks } from '../servers/needed.js';
import { emptyFolder, outputIn, pack, runIn } from './installed.js';
import { writeSaid } from './said-to-python.js';

/** What the tests of the package use, complete. */
const pins = [
  'pandas==3.1.1',
  'pytest==9.2.0',
  'msgpack==1.2.4',
  'iniconfig==2.3.1',
  'pluggy==1.7.0',
  'Pygments==2.21.0',
  'pyarrow==26.0.1',
  'polars==2.1.0',
  'polars-runtime-32==2.1.0',
  'duckdb==2.0.0',
  ...learning,
  ...compiling,
  ...drawing,
];

/** What the MLflow flavour is tried with, complete. */
const pinsOfMlflow = [
  'mlflow-skinny==3.17.2',
  'msgpack==1.2.4',
  'numpy==2.4.6',
  'pandas==3.1.1',
  'annotated-doc==0.0.7',
  'annotated-types==0.8.0',
  'anyio==4.16.0',
  'cachetools==7.3.3',
  'certifi==2026.10.19.post1',
  'cffi==2.1.1',
  'charset-normalizer==3.5.2',
  'click==8.5.1',
  'cloudpickle==3.1.3',
  'cryptography==50.0.2',
  'databricks-sdk==0.162.0',
  'fastapi==0.165.0',
  'gitdb==4.0.12',
  'GitPython==3.2.1',
  'google-auth==2.63.0',
  'h11==0.16.0',
  'idna==3.20',
  'importlib_metadata==9.1.0',
  'opentelemetry-api==1.45.2',
  'opentelemetry-proto==1.45.2',
  'opentelemetry-sdk==1.45.2',
  'opentelemetry-semantic-conventions==0.66b2',
  'packaging==26.3',
  'protobuf==7.36.2',
  'pyasn1==0.6.5',
  'pyasn1_modules==0.4.2',
  'pycparser==3.12',
  'pydantic==2.14.4',
  'pydantic_core==2.50.5',
  'python-dateutil==4.0.0',
  'python-dotenv==1.2.4',
  'PyYAML==6.0.4',
  'requests==2.34.2',
  'smmap==5.0.3',
  'sqlparse==0.6.1',
  'starlette==1.10.0',
  'typing_extensions==4.16.0',
  'typing-inspection==0.4.5',
  'tzdata==2026.6',
  'urllib3==2.8.0',
  'uvicorn==0.54.0',
  'zipp==4.1.2',
];

/** A Python with what the tests use, in the versions of whoever names it; CI tries several so. */
const given = process.env['ORCHARD_PYTHON'] || null;
const withPip = given ?? 'python3';

const isTherePython = ((): boolean => {
  if (given !== null) return true;
  try {
    execFileSync('python3', ['-c', 'import sys, venv, pip; assert sys.version_info >= (3, 11)'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('orchard-density is not tested: there is no python3 of 3.11 or later with venv and pip');
    return false;
  }
})();

/** How a model of each kind beside networks is trained, small. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'chow-liu': ['--model', 'chow-liu'],
  'chow-liu-forest': ['--model', 'chow-liu', '--forest'],
  cutset: ['--model', 'cutset', '--choose', 'likelihood', '--min-rows', '60'],
  'cutset-mixture': [
    '--model',
    'cutset',
    '--min-rows',
    '40',
    '--components',
    '3',
    '--weights',
    'em',
    '--leaf-model',
    'product',
  ],
  'cutset-bagged': [
    ...['--model', 'cutset', '--choose', 'entropy', '--bagged', '--components', '2', '--min-rows', '60'],
  ],
  boosted: ['--model', 'boosted', '--components', '3', '--refits', '2'],
  products: ['--model', 'mixture', '--components', '70', '--hierarchy', 'none', '--pseudo-count', '1', '--steps', '4'],
  'shrunken-products': ['--model', 'mixture', '--components', '8', '--penalty', '1', '--steps', '4'],
  trees: ['--model', 'mixture', '--of', 'trees', '--components', '3', '--pseudo-count', '10', '--steps', '3'],
  sparn: ['--model', 'sparn', '--penalty', '16,4'],
  'sparn-mixture': ['--model', 'sparn', '--components', '2', '--penalty', '16', '--steps', '1'],
  compositional: ['--model', 'compositional', '--experts', '4', '--restarts', '1', '--steps', '3'],
  'highest-opinions': [
    ...['--model', 'compositional', '--composition', 'max', '--experts', '4'],
    ...['--restarts', '1', '--steps', '2'],
  ],
  'summed-log-odds': [
    ...['--model', 'compositional', '--composition', 'log-odds', '--experts', '3'],
    ...['--restarts', '1', '--steps', '2'],
  ],
  partition: ['--model', 'partition', '--experts', '4', '--restarts', '1', '--steps', '3'],
};

const examples = join(root, 'apps/cli/examples');

let folder: string;
let wheel: string;
let said: string;
let python: string;
let site: string;

/** Trains a model of each kind, all in one process: to start one takes longer than to train. */
async function trainModels(): Promise<void> {
  const trees = ['--rounds', '12', '--leaves', '8'];
  const mushrooms = dataFile('mushrooms', 'valid');
  const trainings = [
    ...Object.entries({ ...kinds, trained: trees }).map(([name, words]) => [mushrooms, ...words, '--out', name]),
    [join(examples, 'rentals.csv'), ...trees, '--out', 'table'],
  ];
  const program = `
import { run } from ${JSON.stringify(pathToFileURL(join(root, 'apps/cli/dist/run.js')).href)};
for (const words of ${JSON.stringify(trainings)})
  if ((await run(['train', ...words, '--quiet', '--no-report', '--threads', '1'])) !== 0) process.exit(1);
`;
  await outputIn(folder, process.execPath, '--input-type=module', '--eval', program);
}

/** Runs Python where the wheel is installed beside scikit-learn and pandas. */
const withPackage = (words: readonly string[]) =>
  runIn(
    folder,
    'env',
    `PYTHONPATH=${site}`,
    `ORCHARD_SAID=${said}`,
    `ORCHARD_EXAMPLES=${examples}`,
    'MPLBACKEND=agg',
    // nothing is written beside the tests, which lie among the sources
    `PYTHONPYCACHEPREFIX=${join(folder, 'compiled')}`,
    python,
    ...words,
  );

// some hundred commands are started, each for a second of one core, beside whatever else the machine does
const PATIENCE = { timeout: 1_500_000 };

describe.skipIf(!isTherePython)('orchard-density, installed from its wheel (skipped without Python)', PATIENCE, () => {
  beforeAll(async () => {
    folder = await emptyFolder();
    wheel = await pack(folder, 'python');
    await trainModels();
    said = join(folder, 'said');
    const modelOf = (run: string) => join(folder, run, 'network.msgpack');
    python = given ?? pythonWith(pins, console.warn);
    site = join(folder, 'site');
    const install = ['install', '--quiet', '--no-compile', '--no-deps', '--disable-pip-version-check'];
    await outputIn(folder, withPip, '-m', 'pip', ...install, '--target', site, wheel);
    const bits = Object.fromEntries([...Object.keys(kinds), 'trained'].map((name) => [name, modelOf(name)]));
    writeSaid(said, { bits, table: modelOf('table') });
  }, PATIENCE.timeout);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is of pure Python, for every system, with the command line and the licences of what is in it', async () => {
    expect(wheel).toMatch(/orchard_density-\d+\.\d+\.\d+-py3-none-any\.whl$/);
    const names = (await outputIn(folder, python, '-m', 'zipfile', '-l', wheel))
      .split('\n')
      .map((line) => line.split(' ')[0]!);
    expect(names).toEqual(expect.arrayContaining(['orchard_density/py.typed', 'orchard_density/cli/dist/main.js']));
    expect(names.filter((name) => /licenses\/(LICENSE|THIRD-PARTY-LICENCES\.txt)$/.test(name))).toHaveLength(2);
    expect(names.filter((name) => /test|__pycache__/.test(name))).toEqual([]);
  });

  it('reads, trains and draws with numpy and msgpack alone, in a fresh environment', async () => {
    const fresh = join(folder, 'fresh');
    await outputIn(folder, withPip, '-m', 'venv', '--without-pip', fresh);
    const own = join(fresh, 'bin/python');
    const install = ['install', '--quiet', '--no-compile', '--disable-pip-version-check', wheel];
    await outputIn(folder, withPip, '-m', 'pip', '--python', own, ...install);
    const program = `
import numpy as np, orchard_density
from orchard_density import OrchardDensity
network = orchard_density.load(${JSON.stringify(join(said, 'bits/named.msgpack'))})
drawn = network.sample(5, random_state=7)
assert np.isfinite(network.log_likelihood(drawn)).all()
table = orchard_density.load(${JSON.stringify(join(said, 'table/trained.msgpack'))})
assert list(table.sample(2, random_state=7)) == table.variables
density = OrchardDensity(rounds=3).fit((np.random.default_rng(0).random((80, 5)) < 0.3).astype(np.uint8))
print(density, density.sample(3, random_state=1).shape, np.isfinite(density.score(np.eye(5))))
`;
    expect(await outputIn(folder, own, '-c', program)).toBe('OrchardDensity(rounds=3) (3, 5) True\n');
    expect(await outputIn(folder, own, '-m', 'orchard_density', 'doctor')).toMatch(
      /^orchard-density \d[^]*training and all questions work\n[^]*pandas +no +frames in, frames out: pip install pandas\n/,
    );
  });

  it("runs the four lines of the project's README", async () => {
    const [, lines = ''] = /```python\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    const program = `import os\nos.chdir(${JSON.stringify(root)})\n${lines}print(len(density.score_samples(rentals)))`;
    const { code, stdout, stderr } = await withPackage(['-c', program]);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toBe('1000\n');
  });

  it.skipIf(lacks('redis', 's3'))(
    'trains on a cluster to the bytes that it trains here (skipped without servers)',
    async () => {
      const cluster = await startCluster({ workers: 1, environment: { ORCHARD_LOG_LEVEL: 'warn' } });
      try {
        const program = `
import pandas as pd
from orchard_density import OrchardDensity, OrchardError
rows = pd.read_csv(${JSON.stringify(join(examples, 'rentals.csv'))})
words = {"rounds": 3, "leaves": 2}
there = OrchardDensity(engine=${JSON.stringify(cluster.url)}, token=${JSON.stringify(cluster.token)}, **words).fit(rows)
print(there.model_bytes_ == OrchardDensity(**words).fit(rows).model_bytes_)
try:
    OrchardDensity(engine=${JSON.stringify(cluster.url)}, token="another", **words).fit(rows)
except OrchardError as refused:
    print(refused)
`;
        const { code, stdout, stderr } = await withPackage(['-c', program]);
        expect(code, stdout + stderr).toBe(0);
        expect(stdout).toMatch(/^True\n.*token.*\n$/);
      } finally {
        await cluster.stop();
      }
    },
  );

  it('logs, loads and asks a model by MLflow, as the page of the site does (skipped where PyPI has it not)', async (context) => {
    // its versions are pinned, for a Python that has wheels of them all
    if (given !== null) return context.skip();
    const withMlflow = ((): string | null => {
      try {
        return pythonWith(pinsOfMlflow, console.warn);
      } catch (error) {
        console.warn(`SKIPPED: the MLflow flavour is not tested: ${String(error)}`);
        return null;
      }
    })();
    if (withMlflow === null) return context.skip();
    const page = readFileSync(join(root, 'apps/docs/how-to/use-mlflow.md'), 'utf8');
    const blocks = [...page.matchAll(/```python\n([^]*?)```/g)].map(([, block = '']) => block);
    const program = `
import shutil
for name in ("rentals.csv", "new-rentals.csv"):
    shutil.copy(f"${examples}/{name}", name)
${blocks.join('\n')}
import numpy as np
assert np.array_equal(scores, density.model_.log_likelihood(new))
assert loaded.variables == list(rentals.columns)
assert not filled.isna()["bike"].any() and list(sampled.columns) == list(rentals.columns)
assert "orchard" in info.flavors
try:
    model.predict(new, params={"method": "train"})
except Exception as refused:
    print(refused)
`;
    // without a server: runs as files
    const store = ['MLFLOW_ALLOW_FILE_STORE=true', `MLFLOW_TRACKING_URI=file:${join(folder, 'mlruns')}`];
    const words = [...store, `PYTHONPATH=${site}`, withMlflow, '-B', '-W', 'ignore', '-c', program];
    const { code, stdout, stderr } = await runIn(folder, 'env', ...words);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/train.*log_likelihood, anomaly_scores/);
  });

  it('passes its own tests beside scikit-learn and pandas', async () => {
    const tests = join(root, 'libs/python/orchard-density/tests');
    const words = [
      '-m',
      'pytest',
      '--quiet',
      '-p',
      'no:cacheprovider',
      '--rootdir',
      join(root, 'libs/python/orchard-density'),
      tests,
    ];
    const { code, stdout, stderr } = await withPackage(words);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/\d{2,} passed/);
  });
});
