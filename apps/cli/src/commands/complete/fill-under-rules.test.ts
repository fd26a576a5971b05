import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, rowsIn, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const head = 'kind,price,tax,total,start,end,back';

/** A sale: its total is the sum, it ends after it starts, and only what was returned came back. */
function sale(stream: RandomStream): readonly string[] {
  const [price, tax] = [10 + 90 * stream.uniform(), 1 + 20 * stream.uniform()].map((one) => Math.round(10 * one));
  const start = stream.below(30);
  const end = start + stream.below(10);
  const isBack = stream.below(4) === 0;
  const tenths = [price!, tax!, price! + tax!].map((one) => (one / 10).toFixed(1));
  return [isBack ? 'returned' : 'kept', ...tenths, String(start), String(end), isBack ? String(end + 3) : ''];
}

const rules = ['total = price + tax', 'start <= end', 'end < back', 'back is missing unless kind = returned'];
const stream = new RandomStream(11, 1000);
const write = (name: string, rows: readonly (readonly string[])[]): void =>
  writeFileSync(at(name), `${[head, ...rows.map((row) => row.join(','))].join('\n')}\n`);
write(
  'train.csv',
  Array.from({ length: 800 }, () => sale(stream)),
);
const gaps = Array.from({ length: 40 }, () =>
  sale(stream).map((cell, place) => (stream.below(3) === 0 && place !== 6 ? '' : cell)),
);
write('gaps.csv', gaps);

function broken([kind, price, tax, total, start, end, back]: readonly string[]): string[] {
  const found: string[] = [];
  if (Math.abs(Number(total) - Number(price) - Number(tax)) > 1e-6) found.push(rules[0]!);
  if (Number(start) > Number(end)) found.push(rules[1]!);
  if (back !== '' && Number(end) >= Number(back)) found.push(rules[2]!);
  if (back !== '' && kind !== 'returned') found.push(rules[3]!);
  return found;
}

describe.each([
  ['chow-liu', ['--model', 'chow-liu']],
  ['tables of members', ['--rounds', '20', '--leaves', '4', '--members', '2']],
])('points and intervals under rules, of %s', (kind, words) => {
  const model = at(kind);
  beforeAll(async () => {
    const { code, stderr } = await orchard(
      ...argv`train ${at('train.csv')} ${words} --out ${model} --quiet --no-report`,
    );
    expect(code, stderr).toBe(0);
  }, 60_000);
  const filled = (...options: readonly string[]) =>
    orchard('complete', model, at('gaps.csv'), ...rules.flatMap((rule) => ['--rule', rule]), ...options);

  it.each(['median', 'mean', 'mode'])('every row of %ss follows them', async (point) => {
    const { stdout, stderr } = await filled('--point', point, '--draws', '20');
    rowsIn(stdout).forEach((cells, row) => {
      expect([row, ...broken(cells)]).toEqual([row]);
      cells.forEach((cell, place) => {
        if (gaps[row]![place] !== '') expect(cell).toBe(gaps[row]![place]);
        else if (place !== 6) expect(cell).not.toBe('');
      });
    });
    expect(stderr).toMatch(/by 20 samples.*left, as a rule has it/);
  });

  it('what follows from the others has an interval of one number', async () => {
    const { document, stderr } = await filled('--interval', '0.8', '--draws', '20', '--json');
    const cells = document['cells'] as { row: number; column: string; low: string; high: string }[];
    const totals = cells.filter(({ column, row }) => column === 'total' && gaps[row - 1]!.slice(1, 3).every(Boolean));
    expect(totals.length).toBeGreaterThan(3);
    for (const { row, low, high } of totals) {
      const sum = (Number(gaps[row - 1]![1]) + Number(gaps[row - 1]![2])).toFixed(1);
      expect([low, high]).toEqual([sum, sum]);
    }
    expect(stderr).toContain('under the rules, each cell by itself');
  });
});
