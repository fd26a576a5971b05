import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, inject, type TestContext } from 'vitest';
import { oneAtATime } from '../../infra/one-at-a-time.mjs';
import { root, type Ended } from '../cli/orchard.js';
import { emptyFolder, outputIn, pack, runIn } from './installed.js';
import { pythonOfTests } from './python-of-tests.mjs';

/** A Python with what the tests use, in the versions of whoever names it; CI tries several so. */
export const given = process.env['ORCHARD_PYTHON'] || null;
export const withPip = given ?? 'python3';

export const isTherePython = ((): boolean => {
  if (given !== null) return true;
  try {
    execFileSync('python3', ['-c', 'import sys, venv, pip; assert sys.version_info >= (3, 11)'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('orchard-density is not tested: there is no python3 of 3.11 or later with venv and pip');
    return false;
  }
})();

export const examples = join(root, 'apps/cli/examples');

export const packageFolder = join(root, 'libs/python/orchard-density');

/** What tests of the package read beside themselves. */
const pageOfRecipes = 'apps/docs/how-to/use-data-frames.md';
const questions = ['predictors', 'python_speaks_python', 'questions'].map((name) => `test_${name}.py`);
/**
 * The tests of the package in three parts, each run by a file of its own: together they take longer than any other file,
 * which all would wait for. A new file of tests is in the last part until it is named here.
 */
export const parts = {
  /** Models of every family that `writeSaid` writes, with what they say of themselves. */
  files: { run: ['files'], leave: [] },
  questions: { run: questions, leave: [] },
  others: { run: ['.'], leave: ['files', ...questions] },
  all: { run: ['.'], leave: ['files'] },
} satisfies Readonly<Record<string, Part>>;

/** Paths below the folder of tests. */
interface Part {
  readonly run: readonly string[];
  readonly leave: readonly string[];
}

// some hundred commands are started, each for a second of one core, beside whatever else the machine does
export const PATIENCE = { timeout: 1_500_000 };

/** The wheel of this clone, installed beside what its tests use. */
export interface Installation {
  /** To work in; it goes with the installation. */
  readonly folder: string;
  readonly wheel: string;
  /** With numpy, pandas and the others; the wheel is in {@link site} alone. */
  readonly python: string;
  readonly site: string;
  /** A copy of the package's folder, so that Python keeps what it compiles and nothing stands beside the sources. */
  readonly tests: string;
  /** Where models lie with what Orchard says of them, once they are written. */
  readonly said: string;
}

export async function installWheel(): Promise<Installation> {
  const folder = await emptyFolder();
  const { wheel, site } = await sharedWheel();
  const python = given ?? (await pythonOfTests(console.warn));
  const tests = join(folder, relative(root, packageFolder));
  cpSync(packageFolder, tests, { recursive: true, filter: (path) => path !== join(packageFolder, 'src') });
  // what notebooks and recipes read beside the package, where they look for it
  for (const beside of [pageOfRecipes, relative(root, examples)])
    cpSync(join(root, beside), join(folder, beside), { recursive: true });
  return { folder, wheel, python, site, tests, said: join(folder, 'said') };
}

/** The wheel, built and installed by the first file of tests that asks for it, for all of one run. */
async function sharedWheel(): Promise<Pick<Installation, 'wheel' | 'site'>> {
  const folder = join(inject('specimens'), 'wheel');
  const [site, done] = [join(folder, 'site'), join(folder, 'done')];
  const build = async (): Promise<void> => {
    if (existsSync(done)) return;
    await mkdir(folder, { recursive: true });
    const wheel = await pack(folder, 'python');
    const install = ['install', '--quiet', '--no-compile', '--no-deps', '--disable-pip-version-check'];
    await outputIn(folder, withPip, '-m', 'pip', ...install, '--target', site, wheel);
    await writeFile(done, wheel);
  };
  await oneAtATime(folder, build, () => undefined);
  return { wheel: readFileSync(done, 'utf8'), site };
}

export async function removeWheel(installation: Installation | undefined): Promise<void> {
  if (installation !== undefined) await rm(installation.folder, { recursive: true, force: true });
}

/** Runs Python where the wheel is installed beside scikit-learn and pandas. */
export function runPython({ folder, python, site, said }: Installation, words: readonly string[]): Promise<Ended> {
  return runIn(
    folder,
    'env',
    `PYTHONPATH=${site}`,
    // some machines have it set: every start would compile pandas and scikit-learn anew
    'PYTHONDONTWRITEBYTECODE=',
    `ORCHARD_SAID=${said}`,
    `ORCHARD_EXAMPLES=${examples}`,
    'MPLBACKEND=agg',
    python,
    ...words,
  );
}

declare module 'vitest' {
  interface TaskMeta {
    /** How many of Python's tests this test left to `npm run nightly`, for the count at the end of `.ci/run`. */
    leftToNightly?: number;
  }
}

/**
 * Runs tests of the package by pytest, all but those that are marked nightly, or those alone.
 *
 * @param options of pytest
 */
export async function passesPytest(
  installation: Installation,
  { task }: TestContext,
  { run, leave }: Part,
  options: readonly string[] = [],
): Promise<void> {
  const { tests: copy } = installation;
  const tests = join(copy, 'tests');
  const { code, stdout, stderr } = await runPython(installation, [
    ...['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', '--rootdir', copy],
    ...run.map((path) => join(tests, path)),
    ...leave.map((path) => `--ignore=${join(tests, path)}`),
    ...options,
  ]);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/\d passed/);
  task.meta.leftToNightly = Number(/(\d+) deselected/.exec(stdout)?.[1] ?? 0);
}
