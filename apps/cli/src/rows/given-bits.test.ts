import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** The last column is mostly the first; the second is a coin. */
const rows = Array.from({ length: 200 }, (_, row) => {
  const a = row % 2;
  return [a, (row >> 1) % 2, row % 10 === 0 ? 1 - a : a].join(',');
});
writeFileSync(at('rows.csv'), `"a,b",coin,end\n${rows.join('\n')}\n`);

describe('orchard sample --given of rows of 0 and 1', () => {
  beforeAll(async () => {
    for (const model of ['chow-liu', 'lbarn']) {
      const words = model === 'lbarn' ? ['--leaves', '2', '--rounds', '60', '--shrinkage', '0.2'] : [];
      const args = ['--model', model, '--threads', '1', '--quiet', '--out', at(model), ...words];
      expect(await orchard('train', at('rows.csv'), ...args)).toMatchObject({ code: 0 });
    }
  });

  const drawn = async (model: string, ...given: string[]) => {
    const args = ['--count', '300', '--out', '-', ...given.flatMap((one) => ['--given', one])];
    const { code, stdout, stderr } = await orchard('sample', at(model), ...args);
    const lines = stdout.trim().split('\n').slice(1);
    return { code, stderr, rows: lines.map((line) => line.split(',').map(Number)) };
  };
  const share = (from: readonly number[][], column: number): number =>
    from.reduce((sum, row) => sum + row[column]!, 0) / from.length;

  test('says of a column named twice how several values are named', async () => {
    const { code, stderr } = await drawn('chow-liu', 'end=1', 'end=0');
    expect([code, stderr]).toEqual([2, expect.stringContaining('got the column "end" twice')]);
    expect(stderr).toContain('end=a|b');
  });

  test.each(['chow-liu', 'lbarn'])('draws the other columns of a %s as what is known tells', async (model) => {
    const { code, rows: own, stderr } = await drawn(model, 'end=1');
    expect([code, own.length, share(own, 2)]).toEqual([0, 300, 1]);
    expect(share(own, 0)).toBeGreaterThan(0.8);
    expect(stderr).toMatch(/(59|6[01])\.\d % of all rows are like that/);
  });

  test('follows rules where columns have one order, and says where they have none', async () => {
    const sampled = (model: string) =>
      orchard('sample', at(model), '--count', '200', '--out', '-', '--rule', "end != '0'");
    const { stdout } = await sampled('lbarn');
    const lines = stdout.trim().split('\n').slice(1);
    expect([lines.length, lines.every((line) => line.endsWith(',1'))]).toEqual([200, true]);
    const { code, stderr } = await sampled('chow-liu');
    expect([code, stderr]).toEqual([2, expect.stringContaining('chow-liu of rows of 0 and 1')]);
  });

  test('takes columns by number, and names in quotes', async () => {
    const { rows: own } = await drawn('chow-liu', '"a,b"=0,2=1');
    expect([share(own, 0), share(own, 1)]).toEqual([0, 1]);
  });

  test.each([
    ['end=yes', 'It had 0, 1'],
    ['end=', 'got no value for end'],
    ['ned=1', 'end'],
    ['end=1,3=0', 'got the column "end" twice'],
  ])('refuses %s', async (given, words) => {
    const { code, stderr } = await drawn('chow-liu', given);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
