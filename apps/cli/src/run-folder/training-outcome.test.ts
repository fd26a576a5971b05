import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BitMatrix } from '@orchard/dataset';
import { describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';
import { independentLogLikelihood } from '@orchard/model';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** Two columns that are always equal, and one that is by chance. */
const rows = Array.from({ length: 400 }, (_, row) => {
  const equal = (row * 7) % 2;
  return [equal, equal, (row * 31) % 5 < 2 ? 1 : 0];
});
writeFileSync(at('bits.csv'), `a,b,c\n${rows.map((row) => row.join(',')).join('\n')}\n`);
const words = (row: readonly number[]): string => row.map((bit) => (bit === 1 ? 'yes' : 'no')).join(',');
writeFileSync(at('table.csv'), `a,b,c\n${rows.map(words).join('\n')}\n`);

const plain = ['--threads', '1', '--no-report', '--quiet'];
const linesOf = (stdout: string): string[] => stdout.trimEnd().split('\n');

describe('orchard train ends with', () => {
  it.each([
    ['rows of 0 and 1', 'bits.csv', ['--model', 'lbarn'], '3 of 0 and 1'],
    ['a table', 'table.csv', ['--members', '1'], '3: 3 binary'],
    ['exact trees', 'bits.csv', ['--model', 'chow-liu'], '3 of 0 and 1'],
  ])('five lines for %s: rows, columns, fit, where it is, what to type next', async (_, file, model, columns) => {
    const out = at(`run of ${file} ${model[1]!}`);
    const { code, stdout } = await orchard('train', at(file), ...model, ...plain, '--out', out);
    expect(code).toBe(0);
    const [first, second, fit, where, next, ...more] = linesOf(stdout);
    expect(first).toBe('rows     400: 360 trained, 40 validated');
    expect(second).toBe(`columns  ${columns}`);
    // one of three columns is known from another, which had ln 2 on its own: a factor of 2^(1/3) per value
    const [, percent] = /each value of a validation row is ([\d.]+) % likelier/.exec(fit!)!;
    expect(Number(percent)).toBeGreaterThan(20);
    expect(Number(percent)).toBeLessThan(28);
    expect(where).toContain(join(out, 'network.msgpack'));
    expect(next).toContain(`evaluate '${out}' NEW-ROWS --worst 10`);
    expect(more).toEqual([]);
  });

  it('how members do on the rows that did not train them, and test rows where there are any', async () => {
    const members = ['--model', 'lbarn', '--members', '2'];
    const mixed = await orchard('train', at('bits.csv'), ...members, ...plain, '--out', at('mixed'));
    expect(linesOf(mixed.stdout)[2]).toMatch(/each value of a held-out row is [\d.]+ % likelier/);
    const test = ['--model', 'chow-liu', '--test-fraction', '0.25'];
    const tested = await orchard('train', at('bits.csv'), ...test, ...plain, '--out', at('tested'));
    expect(linesOf(tested.stdout)[0]).toMatch(/, 100 tested$/);
    expect(linesOf(tested.stdout)[2]).toContain('of a test row');
  });

  it('that nothing is judged where validation rows trained too and there are no test rows', async () => {
    const words = ['--model', 'sparn', '--penalty', '2', '--refit'];
    const { code, stdout } = await orchard('train', at('bits.csv'), ...words, ...plain, '--out', at('refitted'));
    expect(code).toBe(0);
    expect(linesOf(stdout)[2]).toContain('fit      not judged: validation rows trained the model too');
  });

  it('no gain where there is none', async () => {
    const { stdout } = await orchard(
      ...['train', at('bits.csv'), '--model', 'marginals', ...plain, '--out', at('alone')],
    );
    expect(linesOf(stdout)[2]).toContain('no likelier than by its column alone');
  });
});

it('orchard train without --out writes to run-NAME in the current folder, but standard input has no name', async () => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    const file = ['bits.csv', '--model', 'marginals', '--threads', '1', '--no-report'];
    const { stderr } = await orchard('train', ...file);
    expect(stderr).toContain('writing to run-bits; --out names another folder');
    expect(existsSync(at('run-bits/network.msgpack'))).toBe(true);
  } finally {
    process.chdir(before);
  }
  const piped = await orchard('train', '-', '--model', 'marginals');
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('--out run')]);
});

it('columns that stand alone have the rates of the training rows, and these the rates of each other', () => {
  const train = BitMatrix.fromRows(['10', '10', '11', '01']);
  // (3 + .5) / 5 and (2 + .5) / 5
  expect(independentLogLikelihood(train, BitMatrix.fromRows(['10']))).toBeCloseTo(Math.log(0.7) + Math.log(0.5), 12);
  // of the other three: 2 and no ones beside a 1, 3 ones beside the 0; then 1 and 2 ones beside a 1, 2 beside a 0
  const rates = [
    [2.5, 2.5, 2.5, 0.5],
    [1.5, 1.5, 1.5, 1.5],
  ].flat();
  const mean = rates.reduce((sum, own) => sum + Math.log(own / 4), 0) / 4;
  expect(independentLogLikelihood(train, train)).toBeCloseTo(mean, 12);
});
