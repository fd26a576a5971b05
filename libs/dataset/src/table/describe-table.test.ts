import { expect, test } from 'vitest';
import { rawTable } from './columns.suite.js';
import { describeTable } from './describe-table.js';

test('bins that come from a sample are said to, and counts that do not are not', async () => {
  const rows = Array.from({ length: 70_000 }, (_, row) => [String((row * 7919) % 70_001), String(row % 50)]);
  const { variables } = await describeTable(rawTable(['many', 'few'], rows, 1024), {});
  expect(variables.map(({ name, warnings }) => [name, warnings])).toEqual([
    ['many', ['range and bins of a sample of its rows']],
    ['few', []],
  ]);
});
