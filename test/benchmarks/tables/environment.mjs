// The Python environment of the peers, in the versions that are compared.
import { spawnSync } from 'node:child_process';
import { pythonWith } from '../peers/environment.mjs';

/** Complete: nothing else is resolved or installed (XGBoost would bring a GPU library of 300 MB). */
const pins = [
  'scikit-learn==1.9.1',
  'utrees==0.3.0',
  'pyAgrum==3.3.1',
  'sdmetrics==0.32.0',
  'pyod==3.6.7',
  'xgboost==3.2.0',
  'cloudpickle==3.1.2',
  'contourpy==1.3.3',
  'copulas==0.14.1',
  'cycler==0.12.1',
  'fonttools==4.68.0',
  'joblib==1.6.0',
  'kditransform==1.2.0',
  'kiwisolver==1.5.1',
  'llvmlite==0.50.0',
  'matplotlib==3.11.2',
  'narwhals==2.29.0',
  'numba==0.68.1',
  'numpy==2.4.6',
  'packaging==26.3',
  'pandas==2.3.3',
  'pillow==13.0.0',
  'plotly==7.1.0',
  'pydot==4.0.1',
  'pyparsing==3.3.3',
  'python-dateutil==4.0.0',
  'pytz==2026.6',
  'scipy==1.17.1',
  'threadpoolctl==3.8.0',
  'tqdm==4.70.1',
  'tzdata==2026.6',
];

/** What the scripts import. */
const modules = ['sklearn', 'utrees', 'pyagrum', 'sdmetrics', 'pyod', 'xgboost', 'numpy', 'scipy', 'pandas'];

/**
 * The Python of the peers: that of ORCHARD_BENCH_PYTHON, if it has all of them, or an environment of the benchmark's
 * own.
 */
export function tablesPython(say) {
  const given = process.env.ORCHARD_BENCH_PYTHON;
  const python = given || pythonWith(pins, say);
  const program = `import importlib.util as u; print(*[m for m in ${JSON.stringify(modules)} if u.find_spec(m) is None])`;
  const { status, error, stdout, stderr } = spawnSync(python, ['-c', program], { encoding: 'utf8' });
  const what = given ? `ORCHARD_BENCH_PYTHON=${given}` : `the environment of ${python}`;
  const remedy = given
    ? 'Install them there, or unset ORCHARD_BENCH_PYTHON: the benchmark then makes an environment of its own.'
    : 'Delete its folder: it is made anew.';
  if (error || status !== 0)
    throw new Error(`${what} is no Python that runs: ${(error?.message ?? stderr).trim()}. ${remedy}`);
  const missing = stdout.trim();
  if (missing !== '') throw new Error(`${what} lacks ${missing.split(' ').join(', ')}. ${remedy}`);
  return python;
}
