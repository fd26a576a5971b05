import { expect, it } from 'vitest';
import { refusalOf } from '../bit-files/reading.suite.js';
import type { RawCell, RawTable } from '../table-files/raw-table.js';
import { openText } from '../variables/small-tables.suite.js';
import { rawTable, tableOfAll } from './columns.suite.js';
import { encodeParts, type EncodedPart } from './encode-parts.js';
import { countRows, encodeTable } from './encode-table.js';

const rows = Array.from({ length: 300_000 }, (_, row): RawCell[] => [row % 7, 'abc'[row % 3]!]);
const options = { mayBeUnknown: true } as const;

async function partsOf(
  raw: RawTable,
  table: Awaited<ReturnType<typeof tableOfAll>>,
  own: { readonly mayBeUnknown: boolean; readonly withDensities?: boolean } = options,
) {
  const parts: EncodedPart[] = [];
  for await (const part of encodeParts(raw, table, own)) parts.push(part);
  return parts;
}

it('a file comes in parts, which together are its rows', async () => {
  const raw = rawTable(['x', 'y'], rows, 1024);
  const table = await tableOfAll(raw);
  const parts = await partsOf(raw, table);
  expect(parts.map(({ firstRow, matrix }) => [firstRow, matrix.rows])).toEqual([
    [0, 131_072],
    [131_072, 131_072],
    [262_144, 37_856],
  ]);
  const [whole] = await encodeTable(raw, table, [await countRows(raw)], options);
  const bytes = Buffer.concat(parts.map(({ matrix }) => matrix.bytes));
  expect(Buffer.compare(bytes, whole!.matrix.bytes)).toBe(0);
  expect([parts[2]!.text(5, 0), parts[2]!.text(37_855, 1)]).toEqual([String(262_149 % 7), 'abc'[299_999 % 3]]);
});

it('only the parts that are wanted are encoded', async () => {
  const raw = rawTable(['x', 'y'], rows, 1024);
  const firsts: number[] = [];
  const isWanted = (from: number, to: number): boolean => from <= 200_000 && 200_000 < to;
  for await (const { firstRow } of encodeParts(raw, await tableOfAll(raw), options, isWanted)) firsts.push(firstRow);
  expect(firsts).toEqual([131_072]);
});

it('a cell that cannot be is not known, or refused with its row in the file', async () => {
  const raw = rawTable(['x', 'y'], rows, 1024);
  const table = await tableOfAll(raw, { types: { x: 'ordered' } });
  const damaged = rawTable(['x', 'y'], [...rows.slice(0, 200_000), ['much', 'a']], 1024);
  const parts = await partsOf(damaged, table);
  expect(parts.map(({ unseen }) => unseen[0])).toEqual([0, 1]);
  expect(await refusalOf(partsOf(damaged, table, { mayBeUnknown: false }))).toMatchObject({
    code: 'value',
    where: 'x.csv, row 200001, column "x"',
  });
});

it('a label that is pooled, or new, has its share of "(other)", in columns of texts and of repeated cells', async () => {
  // two labels are often there, ten are in one row each
  const known = Array.from({ length: 100 }, (_, row): RawCell[] => [row < 90 ? 'ab'[row % 2]! : `rare${String(row)}`]);
  const table = await tableOfAll(rawTable(['kind'], known, 1024), { maxCategories: 2 });
  const cells: RawCell[][] = [['a'], ['rare95'], ['new']];
  const raws = [rawTable(['kind'], cells, 1024), await openText('kind\na\nrare95\nnew\n')];
  for (const raw of raws) {
    const [part] = await partsOf(raw, table, { ...options, withDensities: true });
    expect([...part!.logDensity]).toEqual([0, -Math.log(11), -Math.log(11)]);
    await raw.close();
  }
});
