import type { CategoricalVariable } from '@orchard/contracts';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { openTable } from '../table-files/open-table.js';
import { markedTable, type RawTable } from '../table-files/raw-table.js';
import type { TableFileOptions } from '../table-files/table-options.js';
import { tableOfAll } from './columns.suite.js';
import { describeTable } from './describe-table.js';
import { encodeTable } from './encode-table.js';
import { readTableSplits } from './read-splits.js';

const opened: RawTable[] = [];
afterEach(async () => {
  for (const table of opened.splice(0)) await table.close();
});

async function open(rows: readonly string[], options: TableFileOptions = {}): Promise<RawTable> {
  const bytes = Readable.from([Buffer.from(`country,n\n${rows.join('\n')}\n`)]);
  const table = await openTable({ name: 'x.csv', bytes }, options);
  opened.push(table);
  return table;
}
const cells = (count: number, cell: (row: number) => string): string[] =>
  Array.from({ length: count }, (_, row) => `${cell(row)},${row % 7}`);
const countries = ['ZA', 'BW', 'NL', 'NO'];

describe('NA', () => {
  const withEmpty = cells(60, (row) => (row % 6 === 0 ? '' : row % 6 === 1 ? 'NA' : countries[row % 4]!));

  test('is a label beside empty cells, with the count and how to say otherwise', async () => {
    const { variables } = await describeTable(await open(withEmpty), {});
    expect(variables[0]).toMatchObject({ kind: 'categorical', distinct: 5, holes: 10 });
    expect(variables[0]!.warnings).toEqual([
      '10 cells "NA" are a label beside 10 missing; if they mark missing values, say so beside the other marks',
    ]);
    const said = await describeTable(await open(withEmpty, { missing: ['', 'NA'] }), {});
    expect(said.variables[0]).toMatchObject({ distinct: 4, holes: 20, warnings: [] });
  });

  test('is a label among others of two capitals', async () => {
    const alike = cells(60, (row) => (row % 6 === 1 ? 'NA' : countries[row % 4]!));
    expect((await describeTable(await open(alike), {})).variables[0]).toMatchObject({ distinct: 5, holes: 0 });
  });

  test.each<readonly [string, (row: number) => string]>([
    ['other words', (row) => (row % 6 === 1 ? 'NA' : ['sun', 'rain', 'AB'][row % 3]!)],
    ['numbers, and empty cells', (row) => (row % 6 === 1 ? 'NA' : row % 6 === 2 ? '' : String(row))],
    ['dates', (row) => (row % 6 === 1 ? 'NA' : `2024-01-${10 + (row % 19)}`)],
  ])('is missing among %s', async (_, cell) => {
    const { variables } = await describeTable(await open(cells(60, cell)), {});
    expect(variables[0]!.holes).toBeGreaterThanOrEqual(10);
    expect(variables[0]!.warnings.join()).not.toContain('NA');
  });

  test('is in the rows of all splits what it is in the whole file, and in a second file what the model has', async () => {
    const sources = { train: await open(withEmpty), valid: null, test: await open(cells(4, () => 'NA')) };
    const splits = await readTableSplits(sources, { valid: 0.3 }, 1, {});
    const variable = splits.table.variables[0] as CategoricalVariable;
    expect(variable.labels).toContain('NA');
    expect(splits.unseen).toEqual({});
    const [second] = await encodeTable(await open(['NA,1', ',2', 'ZA,3']), splits.table, [3], {
      missing: 'unknown',
      mayBeUnknown: true,
    });
    expect([0, 1, 2].map((row) => second!.known?.get(row, 0))).toEqual([1, 0, 1]);
    const without = await tableOfAll(await open(cells(60, (row) => countries[row % 4]!)));
    const marked = markedTable(await open(['NA,1', 'ZA,3']));
    const [other] = await encodeTable(marked, without, [2], { missing: 'unknown', mayBeUnknown: true });
    expect([0, 1].map((row) => other!.known?.get(row, 0))).toEqual([0, 1]);
  });
});

test('None is a label beside other missing values', async () => {
  const rows = cells(60, (row) => (row % 6 === 0 ? 'NA' : row % 6 === 1 ? 'None' : ['Brick', 'Stone'][row % 2]!));
  const { variables } = await describeTable(await open(rows), {});
  expect(variables[0]).toMatchObject({ distinct: 3, holes: 10 });
  const alone = cells(60, (row) => (row % 6 === 1 ? 'None' : ['Brick', 'Stone'][row % 2]!));
  expect((await describeTable(await open(alone), {})).variables[0]).toMatchObject({ distinct: 2, holes: 10 });
});
