// A Python environment of the benchmark's own, with the peers in the versions that are compared.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The peers and what they import, complete: nothing else is resolved or installed (XGBoost would bring a GPU library of
 * 300 MB).
 */
const pins = [
  'xgboost==3.2.0',
  'lightgbm==4.7.0',
  'catboost==1.2.10',
  'ydf==0.16.1',
  'numpy==2.3.5',
  'scipy==1.16.3',
  'narwhals==2.29.0',
  'pandas==2.3.3',
  'python-dateutil==2.9.0.post0',
  'pytz==2025.2',
  'tzdata==2025.2',
  'six==1.17.0',
  'absl-py==2.5.1',
  'protobuf==7.36.2',
];

/** scikit-learn and what it imports, for environments of several benchmarks and of the tests. */
export const learning = [
  'scikit-learn==1.9.1',
  'numpy==2.4.6',
  'scipy==1.17.1',
  'joblib==1.6.0',
  'narwhals==2.29.0',
  'cloudpickle==3.1.2',
  'threadpoolctl==3.8.0',
  'python-dateutil==4.0.0',
  'tqdm==4.70.1',
];
export const compiling = ['numba==0.68.1', 'llvmlite==0.50.0'];
/** What runs with no later pandas. */
export const olderPandas = ['pandas==2.3.3', 'pytz==2026.6', 'tzdata==2026.6'];
export const drawing = [
  'matplotlib==3.11.2',
  'contourpy==1.3.3',
  'cycler==0.12.1',
  'fonttools==4.68.0',
  'kiwisolver==1.5.1',
  'packaging==26.3',
  'pillow==13.0.0',
  'pyparsing==3.3.3',
];

function run(command, args) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  const reason = (error?.message ?? stderr).trim().split('\n').slice(-3).join(' ');
  throw new Error(
    `The peers' Python environment could not be made: ${command} ${args.slice(0, 3).join(' ')} … said "${reason}". ` +
      `It needs python3 (3.11 to 3.13) with venv and pip on PATH, and PyPI.`,
  );
}

/** The Python of these peers. */
export function peersPython(say) {
  return pythonWith(pins, say);
}

/**
 * The Python of an environment that holds exactly these packages; made on first use in the user's cache folder, one
 * folder for each set of pins. The first four are named while it is made.
 */
export function pythonWith(pins, say) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const hash = createHash('sha256').update(pins.join('\n')).digest('hex').slice(0, 12);
  const folder = join(cache, 'orchard', `bench-venv-${hash}`);
  const python = join(folder, 'bin', 'python');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return python;
  say(`installing ${pins.slice(0, 4).join(', ')} in ${folder} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(cache, 'orchard'), { recursive: true });
  run('python3', ['-m', 'venv', '--without-pip', folder]);
  // to compile all modules takes longer than to install them: Python compiles those that it imports
  const options = ['--quiet', '--no-compile', '--no-deps', '--disable-pip-version-check'];
  run('python3', ['-m', 'pip', '--python', python, 'install', ...options, ...pins]);
  // last, so that an environment that was interrupted is made anew
  writeFileSync(complete, '');
  return python;
}
