import { expect, test } from 'vitest';
import { rawTable, tableOfAll } from './columns.suite.js';
import { describeTable } from './describe-table.js';

test('bins that come from a sample are said to, and counts that do not are not', async () => {
  const rows = Array.from({ length: 70_000 }, (_, row) => [String((row * 7919) % 70_001), String(row % 50)]);
  const { variables } = await describeTable(rawTable(['many', 'few'], rows, 1024), {});
  expect(variables.map(({ name, warnings }) => [name, warnings])).toEqual([
    ['many', ['range and bins of a sample of its rows']],
    ['few', []],
  ]);
});

test('whole numbers that are rounded are said to be, where they are numbers', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => [
    String(2n ** 60n + BigInt(row * 99 + 3)),
    String(2 ** 53 + 4 * row),
  ]);
  const raw = rawTable(['id', 'exact'], rows);
  const notes: string[] = [];
  const warning =
    '39 cells have more digits than numbers hold and are rounded, as 1152921504606846979 to 1152921504606846976; if they are names, say that the column is categorical';
  const { variables } = await describeTable(raw, { onNote: (note) => notes.push(note) });
  expect(variables.map(({ warnings }) => warnings)).toEqual([[warning], []]);
  expect(notes).toEqual([]);
  const kept = await describeTable(raw, { types: { id: 'categorical' } });
  expect(kept.variables[0]).toMatchObject({ distinct: 40, warnings: [] });
  await tableOfAll(raw, { onNote: (note) => notes.push(note) });
  expect(notes).toEqual([`of "id" ${warning}`]);
});
