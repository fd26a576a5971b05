import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const file = (name: string, lines: readonly string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};
const numbers = file('numbers.csv', [
  'a,b,c',
  ...Array.from({ length: 300 }, (_, row) => [(row * 7919) % 1009, row % 5, row % 3 === 0 ? 'x' : 'y'].join(',')),
]);

describe('what training would take', () => {
  it('is said of a table, in words and for programs', async () => {
    const { stdout } = await orchard(...argv`describe ${numbers}`);
    expect(stdout).toMatch(/^orchard train would take .+ on \d+ threads?, .+B of memory$/m);
    const { document } = await orchard(...argv`describe ${numbers} --json`);
    const training = document['training'] as Record<string, number>;
    expect(training['memoryBytes']).toBeGreaterThan(0);
    expect(training['secondsLeast']).toBeLessThanOrEqual(training['secondsMost']!);
    expect(document).not.toHaveProperty('sample');
  });

  it('is nothing to speak of where all columns are constant, and not said of a few rows', async () => {
    const constant = file('constant.csv', ['a,b', ...new Array<string>(30).fill('5,x')]);
    expect((await orchard(...argv`describe ${constant} --json`)).document['training']).toMatchObject({
      secondsMost: expect.closeTo(0, 0) as number,
    });
    const few = file('few.csv', ['a,b', '1,x', '2,y', '3,x']);
    expect((await orchard(...argv`describe ${few} --json`)).document['training']).toBeNull();
  });
});

it('a run on a part of the rows has so many, the same again, and says what it took', async () => {
  const trained = async (out: string) =>
    orchard(...argv`train ${numbers} --rows 100 --rounds 3 --members 1 --no-report --json --out ${join(folder, out)}`);
  const { document, stderr } = await trained('one');
  expect(stderr).toContain('100 of the 300 rows');
  expect(document).toMatchObject({ dataset: { rows: { train: 90, valid: 10 } } });
  const needs = document['needs'] as { expected: { memoryBytes: number }; peakMemoryBytes: number };
  // both are of the whole program
  expect(needs.expected.memoryBytes).toBeGreaterThan(needs.peakMemoryBytes / 4);
  expect(needs.expected.memoryBytes).toBeLessThan(needs.peakMemoryBytes * 4);
  expect((await trained('other')).document['runId']).toBe(document['runId']);
});
