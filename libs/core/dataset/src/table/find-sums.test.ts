import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { rawTable, tableOfAll } from './columns.suite.js';

const columns = ['before', 'paid', 'next', 'limit'];

/** Bills, what is paid of them, and the next bills, which are the rest and what is spent. */
function bills(count: number, isSum: boolean): string[][] {
  const stream = new RandomStream(5, 1);
  return Array.from({ length: count }, () => {
    const before = 1000 + 9000 * stream.uniform();
    const paid = 20 + 400 * stream.uniform();
    const spent = 60 * stream.uniform();
    const next = isSum ? before - paid + spent : before * (0.93 + 0.07 * stream.uniform());
    return [before, paid, next, 1000 + 5000 * stream.uniform()].map((value) => value.toFixed(2));
  });
}

test('a column that two others tell of by a sum is found', async () => {
  const { sums } = await tableOfAll(rawTable(columns, bills(2000, true)));
  expect(sums).toHaveLength(1);
  expect(sums![0]!.total).toBe('before');
  expect([...sums![0]!.parts].sort()).toEqual(['next', 'paid']);
});

test('columns that are alike, and no sum, are left alone; so is what too few rows say', async () => {
  expect((await tableOfAll(rawTable(columns, bills(2000, false)))).sums).toBeUndefined();
  expect((await tableOfAll(rawTable(columns, bills(300, true)))).sums).toBeUndefined();
});

test('a sum that all rows keep is said, as the rule that samples would follow', async () => {
  const rows = bills(2000, true).map(([before, paid, , limit]) => [
    before!,
    paid!,
    (Number(before) - Number(paid)).toFixed(2),
    limit!,
  ]);
  const notesOf = async (some: string[][], names: string[]): Promise<string[]> => {
    const notes: string[] = [];
    await tableOfAll(rawTable(names, some), { onRule: ({ note }) => notes.push(note) });
    return notes;
  };
  const kept =
    /^before = ("what is left" \+ paid|paid \+ "what is left") in all 2,000 rows that were looked at: as a rule/;
  const names = ['before', 'paid', 'what is left', 'limit'];
  expect(await notesOf(rows, names)).toEqual([expect.stringMatching(kept)]);
  const broken = rows.map((row, at) => (at === 1234 ? [row[0]!, row[1]!, '1.00', row[3]!] : row));
  expect(await notesOf(broken, names)).toEqual([]);
});
