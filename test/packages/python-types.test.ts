import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawing, pythonWith } from '../benchmarks/peers/environment.mjs';
import { emptyFolder, outputIn, runIn } from './installed.js';
import { isTherePython, packageFolder, PATIENCE } from './wheel.js';

/** The checkers and the types that they read, complete; pyright fetches its own program from npm. */
const pins = [
  'mypy==1.18.2',
  'pyright==1.1.407',
  'ruff==0.17.6',
  'pandas==3.1.1',
  'numpy==2.4.6',
  'mypy_extensions==1.2.0',
  'nodeenv==1.12.0',
  'pathspec==1.1.1',
  'python-dateutil==4.0.0',
  'typing_extensions==4.16.0',
  'tzdata==2026.6',
  ...drawing,
];

/** The notebooks call these on a density; each is misspelt by two letters that change places. */
const misspelt: readonly (readonly [string, string])[] = [
  ['.sample(', '.smaple('],
  ['.complete(', '.compelte('],
  ['.explain(', '.explian('],
];

describe.skipIf(!isTherePython)(
  'types of orchard-density (skipped without Python)',
  { tags: 'nightly', ...PATIENCE },
  () => {
    let folder: string | undefined;
    let python: string;
    let modules: readonly string[];

    beforeAll(async () => {
      folder = await emptyFolder();
      python = pythonWith(pins, console.warn);
      await outputIn(packageFolder, python, '-B', 'tests/notebook_code.py', folder);
      modules = readdirSync(folder).map((name) => join(folder!, name));
    }, PATIENCE.timeout);
    afterAll(() => folder && rm(folder, { recursive: true }));

    const mypy = (...paths: readonly string[]) => runIn(packageFolder, python, '-B', '-m', 'mypy', ...paths);
    const pyright = (...paths: readonly string[]) =>
      runIn(packageFolder, python, '-B', '-m', 'pyright', '--pythonpath', python, ...paths);
    // a notebook says less of its types than the package does
    const ofNotebooks = ['--config-file=', '--follow-imports=silent', '--ignore-missing-imports'];
    const mypyOfNotebooks = (paths: readonly string[]) =>
      runIn(
        packageFolder,
        'env',
        'MYPYPATH=src',
        ...[python, '-B', '-m', 'mypy', '--cache-dir=/dev/null', ...ofNotebooks, ...paths],
      );

    it('stand in sources that ruff has nothing against', async () => {
      const checked = await runIn(packageFolder, python, '-B', '-m', 'ruff', 'check', '--no-cache', '.');
      expect(checked.code, checked.stdout + checked.stderr).toBe(0);
    });

    it('are right by mypy and pyright, which find what tests/typed.py misspells', async () => {
      for (const checked of [await mypy('--cache-dir=/dev/null', 'src', 'tests/typed.py'), await pyright()]) {
        expect(checked.code, checked.stdout + checked.stderr).toBe(0);
      }
    });

    it('let notebooks pass as they are, and find a misspelt method in each', async () => {
      for (const checked of [await mypyOfNotebooks(modules), await pyright(...modules)]) {
        expect(checked.code, checked.stdout + checked.stderr).toBe(0);
      }
      const inEach = modules.map((path) => {
        const code = misspelt.reduce(
          (text, [right, wrong]) => text.replaceAll(right, wrong),
          readFileSync(path, 'utf8'),
        );
        writeFileSync(path, code);
        return misspelt.flatMap(([, wrong]) => (code.includes(wrong) ? [`"${wrong.slice(1, -1)}"`] : []));
      });
      for (const checked of [await mypyOfNotebooks(modules), await pyright(...modules)]) {
        expect(checked.code).toBe(1);
        modules.forEach((path, at) => {
          const found = checked.stdout.split('\n').filter((line) => line.includes(basename(path)));
          expect(inEach[at]).not.toEqual([]);
          for (const name of inEach[at]!)
            expect(
              found.some((line) => line.includes(name)),
              name,
            ).toBe(true);
        });
      }
    });
  },
);
