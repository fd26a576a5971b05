import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster } from '../../infra/cluster/index.mjs';
import { pythonWith } from '../benchmarks/peers/environment.mjs';
import { root } from '../cli/orchard.js';
import { lacks } from '../servers/needed.js';
import { outputIn, runIn } from './installed.js';
import { writeSaid } from './said-to-python.js';
import {
  examples,
  given,
  installWheel,
  isTherePython,
  PATIENCE,
  removeWheel,
  runPython,
  withPip,
  type Installation,
} from './wheel.js';

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

describe.skipIf(!isTherePython)('orchard-density, installed from its wheel (skipped without Python)', PATIENCE, () => {
  let installed: Installation | undefined;
  const withPackage = (words: readonly string[]) => runPython(installed!, words);

  beforeAll(async () => {
    installed = await installWheel();
    writeSaid(installed.said);
  }, PATIENCE.timeout);
  afterAll(() => removeWheel(installed));

  it('is of pure Python, for every system, with the command line and the licences of what is in it', async () => {
    const { folder, wheel, python } = installed!;
    expect(wheel).toMatch(/orchard_density-\d+\.\d+\.\d+-py3-none-any\.whl$/);
    const names = (await outputIn(folder, python, '-m', 'zipfile', '-l', wheel))
      .split('\n')
      .map((line) => line.split(' ')[0]!);
    expect(names).toEqual(expect.arrayContaining(['orchard_density/py.typed', 'orchard_density/cli/dist/main.js']));
    expect(names.filter((name) => /licenses\/(LICENSE|THIRD-PARTY-LICENCES\.txt)$/.test(name))).toHaveLength(2);
    expect(names.filter((name) => /test|__pycache__/.test(name))).toEqual([]);
  });

  it('reads, trains and draws with numpy and msgpack alone, in a fresh environment', async () => {
    const { folder, wheel, said } = installed!;
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
table = orchard_density.load(${JSON.stringify(join(said, 'table/random1.msgpack'))})
assert list(table.sample(2, random_state=7)) == table.variables
density = OrchardDensity(rounds=3).fit((np.random.default_rng(0).random((80, 5)) < 0.3).astype(np.uint8))
print(density, density.sample(3, random_state=1).shape, np.isfinite(density.score(np.eye(5))))
`;
    expect(await outputIn(folder, own, '-c', program)).toBe('OrchardDensity(rounds=3) (3, 5) True\n');
    expect(await outputIn(folder, own, '-m', 'orchard_density', 'doctor')).toMatch(
      /^orchard-density \d[^]*training and all questions work\n[^]*pandas +no +frames in, frames out: pip install pandas\n/,
    );
  });

  it("runs the lines of the project's README", async () => {
    const [, lines = ''] = /```python\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    // a quarter of the rentals is learned in a quarter of the time
    const program = `import functools, os
os.chdir(${JSON.stringify(root)})
import pandas
pandas.read_csv = functools.partial(pandas.read_csv, nrows=250)
${lines}print(len(density.score_samples(rentals)))`;
    const { code, stdout, stderr } = await withPackage(['-c', program]);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toBe('250\n');
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

  it(
    'logs, loads and asks a model by MLflow, as the page of the site does (skipped where PyPI has it not)',
    { tags: 'nightly' },
    async (context) => {
      // its versions are pinned, for a Python that has wheels of them all
      if (given !== null) return context.skip();
      const { folder, site } = installed!;
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
      const words = [...store, `PYTHONPATH=${site}`, withMlflow, '-W', 'ignore', '-c', program];
      const { code, stdout, stderr } = await runIn(folder, 'env', ...words);
      expect(code, stdout + stderr).toBe(0);
      expect(stdout).toMatch(/train.*log_likelihood, anomaly_scores/);
    },
  );
});
