// The Python environment of the peers, in the versions that are compared.
import { spawnSync } from 'node:child_process';
import { compiling, drawing, learning, olderPandas, pythonWith } from '../peers/environment.mjs';

/** Complete: nothing else is resolved or installed (XGBoost would bring a GPU library of 300 MB). */
const pins = [
  'utrees==0.3.0',
  'pyAgrum==3.3.1',
  'sdmetrics==0.32.0',
  'pyod==3.6.7',
  'xgboost==3.2.0',
  'copulas==0.14.1',
  'kditransform==1.2.0',
  'plotly==7.1.0',
  'pydot==4.0.1',
  ...learning,
  ...compiling,
  ...olderPandas,
  ...drawing,
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
