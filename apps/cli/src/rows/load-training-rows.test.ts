import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BitMatrix } from '@orchard/dataset';
import { describe, expect, it, vi } from 'vitest';
import { loadTrainingRows } from './load-training-rows.js';
import type { Splits } from '@orchard/pipeline';
import { describeSources, type SplitSources } from './split-sources.js';
import { Terminal } from '../output/terminal.js';
import { temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();

const file = (name: string, rows: number): string => {
  const lines = Array.from({ length: rows }, (_, row) => Array.from(row.toString(2).padStart(9, '0')).join(','));
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return join(folder, name);
};

async function load(sources: SplitSources, seed = 0): Promise<Splits & { readonly said: string }> {
  let said = '';
  const stderr = { write: (text: string) => (said += text) };
  const terminal = new Terminal({ json: false, quiet: false }, { write: () => undefined }, stderr);
  const splits = await loadTrainingRows(sources, { format: 'data', seed }, undefined, terminal);
  return { ...splits, said };
}

const numbersOf = (matrix: BitMatrix): number[] =>
  Array.from({ length: matrix.rows }, (_, row) =>
    parseInt(Array.from({ length: 9 }, (__, dim) => matrix.get(row, dim)).join(''), 2),
  );

describe('rows of which there is no file', () => {
  it('are drawn from the training file in exact shares that have no row in common, and counted aloud', async () => {
    const sources = { train: file('rows.data', 205), validFraction: 0.1, testFraction: 0.2 };
    const { train, valid, test, said } = await load(sources, 7);
    expect([train.rows, valid.rows, test!.rows]).toEqual([143, 21, 41]);
    const all = [train, valid, test!].flatMap(numbersOf).toSorted((left, right) => left - right);
    expect(all).toEqual(Array.from({ length: 205 }, (_, row) => row));
    expect(said).toBe(
      'orchard: of 205 rows 143 train, 21 validate (--valid-fraction 0.1), 41 test (--test-fraction 0.2); drawn by seed 7\n',
    );
    const again = await load(sources, 7);
    expect(again.test!.equals(test!)).toBe(true);
    expect((await load(sources, 8)).test!.equals(test!)).toBe(false);
  });

  it('are a tenth that validates where nobody says, one of eleven', async () => {
    const { train, valid, test } = await load({ train: file('eleven.data', 11) });
    expect([train.rows, valid.rows, test]).toEqual([10, 1, null]);
  });

  it('are test rows alone where validation rows have a file', async () => {
    const { train, valid, test } = await load({
      train: file('train.data', 100),
      valid: file('valid.data', 30),
      testFraction: 0.25,
    });
    expect([train.rows, valid.rows, test!.rows]).toEqual([75, 30, 25]);
  });

  it('are refused with the option to change where a share is no row, or nothing is left to train on', async () => {
    const eleven = file('eleven.data', 11);
    await expect(load({ train: eleven, validFraction: 0.01 })).rejects.toMatchObject({
      where: '--valid-fraction',
      got: expect.stringContaining('a share of 0.01 of 11 rows in') as string,
      remedy: 'Give a larger --valid-fraction, or these rows as a file with --valid.',
    });
    await expect(load({ train: eleven, testFraction: 0.02 })).rejects.toMatchObject({ where: '--test-fraction' });
    await expect(load({ train: eleven, validFraction: 0.5, testFraction: 0.6 })).rejects.toMatchObject({
      where: '--valid-fraction and --test-fraction',
      got: expect.stringContaining('which are 13 of 11 rows') as string,
    });
  });
});

describe('where rows came from, for a report', () => {
  it('is said by the names of the files, without their folders', () => {
    expect(describeSources({ train: '/home/me/rows.csv', testFraction: 0.2 }, 3)).toEqual([
      ['training', 'rows.csv, the rows that were not drawn'],
      ['validation', 'rows.csv, a share of 0.1 drawn by seed 3'],
      ['test', 'rows.csv, a share of 0.2 drawn by seed 3'],
    ]);
    expect(describeSources({ train: '-', valid: 'a/valid.csv', test: 'b/test.csv' }, 0)).toEqual([
      ['training', 'standard input'],
      ['validation', 'valid.csv'],
      ['test', 'test.csv'],
    ]);
  });
});

it('Ctrl-C while rows are read says so, and that nothing was written', async () => {
  const ended: unknown[] = [];
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    ended.push(code);
    return undefined as never;
  });
  const before = process.listenerCount('SIGINT');
  const loading = load({ train: file('interrupted.data', 300) });
  process.emit('SIGINT');
  const { said } = await loading;
  exit.mockRestore();
  expect(ended).toEqual([130]);
  expect(said).toContain('orchard: Interrupted. The rows were still being read, and nothing was written.\n');
  expect(process.listenerCount('SIGINT')).toBe(before);
});
