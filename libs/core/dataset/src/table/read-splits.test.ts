import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { assignRows, splitRows } from '../rows/split.js';
import type { RawCell } from '../table-files/raw-table.js';
import { codeOffsets, otherCode, readCodes } from '../variables/codes.js';
import { rawTable } from './columns.suite.js';
import { encodeTable } from './encode-table.js';
import { readTableSplits } from './read-splits.js';

const columns = ['age', 'city', 'smoker', 'weight', 'since'];
const fractions = { valid: 0.2, test: 0.1 };
const seed = 11;

/** Rows of every kind of variable; `shift` moves all their values to others of the same kinds and formats. */
function rowsOf(count: number, shift = 0): RawCell[][] {
  const stream = new RandomStream(1 + shift, 1007);
  return Array.from({ length: count }, () => [
    String(20 + stream.below(30) + 100 * shift),
    stream.below(8) === 0 ? null : `city ${String(stream.below(5) + 10 * shift)}`,
    stream.below(3) === 0 ? 'yes' : 'no',
    (40 + 30 * stream.uniform() + 500 * shift).toFixed(2),
    new Date(86_400_000 * (15_000 + stream.below(3000) + 9000 * shift)).toISOString().slice(0, 10),
  ]);
}

const splits = (rows: readonly (readonly RawCell[])[], names: readonly string[] = columns, own = fractions) =>
  readTableSplits({ train: rawTable(names, rows), valid: null, test: null }, own, seed, {});

test('nothing of rows that validate or test reaches labels, cells and cuts', async () => {
  const rows = rowsOf(500);
  const others = rowsOf(500, 1);
  const splitOf = assignRows(500, fractions, seed);
  const plain = await splits(rows);
  const changed = await splits(rows.map((row, at) => (splitOf[at] === 0 ? row : others[at]!)));
  expect(changed.table).toEqual(plain.table);
  expect(changed.train.contentHash()).toBe(plain.train.contentHash());
  expect(changed.valid!.contentHash()).not.toBe(plain.valid!.contentHash());
  // and they count: what trains does
  const trainingChanged = await splits(rows.map((row, at) => (splitOf[at] === 0 ? others[at]! : row)));
  expect(trainingChanged.table).not.toEqual(plain.table);
});

test('of a part of the rows, cells and counts are of those that are taken', async () => {
  const rows = rowsOf(300);
  const part = { ...fractions, rows: 100 };
  const splitOf = assignRows(300, part, seed);
  const read = await splits(rows, columns, part);
  expect([read.train.rows, read.valid!.rows, read.test!.rows]).toEqual([70, 20, 10]);
  const others = rowsOf(300, 1);
  const changed = await splits(
    rows.map((row, at) => (splitOf[at] === 3 ? others[at]! : row)),
    columns,
    part,
  );
  expect(changed.train.contentHash()).toBe(read.train.contentHash());
});

test('counts of labels and cells are those of the training rows', async () => {
  const rows = rowsOf(300);
  const { table, train } = await splits(rows);
  const offsets = codeOffsets(table);
  table.variables.forEach((variable, index) => {
    const counts = new Array<number>(variable.counts.length + 2).fill(0);
    for (const code of readCodes(train, offsets[index]!, offsets[index + 1]!)) counts[code]!++;
    expect(counts.slice(0, variable.counts.length)).toEqual(variable.counts);
  });
});

test('decimals and kinds are told by all rows, on purpose: a split does not decide how a column is written', async () => {
  const splitOf = assignRows(200, fractions, seed);
  const heldOut = splitOf.indexOf(2);
  const rows = rowsOf(200).map((row, at): RawCell[] =>
    at === heldOut ? [row[0]!, row[1]!, 'maybe', '55.125', row[4]!] : row,
  );
  const { table, unseen } = await splits(rows);
  expect(table.variables[3]).toMatchObject({ format: { decimals: 3, padded: false } });
  expect(table.variables[2]).toMatchObject({ kind: 'categorical', labels: ['no', 'yes'], others: 0 });
  expect(unseen).toEqual({ smoker: 1 });
});

test('the rows of a split are those that splitRows takes of the same rows', async () => {
  const rows = rowsOf(300);
  const read = await splits(rows);
  const [all] = await encodeTable(rawTable(columns, rows), read.table, [300]);
  const split = splitRows(all!.matrix, fractions, seed);
  for (const side of ['train', 'valid', 'test'] as const) {
    expect(read[side]!.rows).toBe({ train: 210, valid: 60, test: 30 }[side]);
    expect(read[side]!.bytes).toEqual(split[side]!.bytes);
  }
  expect((await splits(rows)).valid!.contentHash()).toBe(read.valid!.contentHash());
  const other = await readTableSplits({ train: rawTable(columns, rows), valid: null, test: null }, fractions, 12, {});
  expect(other.valid!.contentHash()).not.toBe(read.valid!.contentHash());
});

test('without fractions all rows train', async () => {
  const read = await splits(rowsOf(50), columns, { valid: 0, test: 0 });
  expect([read.train.rows, read.valid, read.test, read.unseen]).toEqual([50, null, null, {}]);
});

test('labels and numbers of held-out rows that training never had are "(other)", and counted by column', async () => {
  const splitOf = assignRows(200, fractions, seed);
  const rows = rowsOf(200).map((row, at): RawCell[] => {
    if (splitOf[at] === 0) return row;
    return ['77', splitOf[at] === 1 ? 'Atlantis' : row[1]!, row[2]!, row[3]!, row[4]!];
  });
  const { table, unseen, valid } = await splits(rows);
  const [age, city] = table.variables;
  expect([age!.kind === 'ordered' && age!.measure, unseen]).toEqual(['mass', { age: 60, city: 40 }]);
  const offsets = codeOffsets(table);
  expect(new Set(readCodes(valid!, offsets[1]!, offsets[2]!))).toEqual(new Set([otherCode(city!)]));
});

describe('separate files', () => {
  const train = rawTable(columns, rowsOf(200));
  const read = (valid: ReturnType<typeof rawTable>, own = train) =>
    readTableSplits({ train: own, valid, test: valid }, { valid: 0, test: 0 }, seed, {});

  test('have their columns in whatever order, and others beside them', async () => {
    const rows = rowsOf(80, 0);
    const plain = await read(rawTable(columns, rows));
    const turned = await read(
      rawTable(
        ['more', ...columns.toReversed()],
        rows.map((row) => ['x', ...row.toReversed()]),
      ),
    );
    expect(turned.valid!.contentHash()).toBe(plain.valid!.contentHash());
    expect(turned.test!.contentHash()).toBe(plain.valid!.contentHash());
    expect(plain.train.rows).toBe(200);
  });

  test('in which a column is missing are refused by its name, with the one that may be meant', async () => {
    const wrong = rawTable(['age', 'City', 'smoker', 'wieght', 'since'], rowsOf(20));
    await expect(read(wrong)).rejects.toMatchObject({
      code: 'column',
      got: 'no column "city", "weight"',
      where: 'x.csv',
      remedy: expect.stringContaining('"City"') as unknown,
    });
  });

  test('give their unseen values together', async () => {
    const { unseen } = await read(
      rawTable(
        columns,
        rowsOf(20).map(([, ...row]) => ['12', ...row]),
      ),
    );
    expect(unseen).toEqual({ age: 40 });
  });

  test('in which a third label stands for one of two have it counted as one that training never had', async () => {
    const rows = rowsOf(20).map((row, at): RawCell[] =>
      at === 4 ? [row[0]!, row[1]!, 'maybe', row[3]!, row[4]!] : row,
    );
    const { table, valid, unseen } = await read(rawTable(columns, rows));
    const smoker = table.variables.findIndex(({ name }) => name === 'smoker');
    const offsets = codeOffsets(table);
    const codes = readCodes(valid!, offsets[smoker]!, offsets[smoker + 1]!);
    expect([codes[4], otherCode(table.variables[smoker]!)]).toEqual([2, 2]);
    // once in the validation rows, and once in the test rows, which are the same
    expect(unseen['smoker']).toBe(2);
  });

  test('with a hole where training has none give their other rows, and it is said how many are left out', async () => {
    const rows = rowsOf(20);
    const holes = rows.map((row, at): RawCell[] =>
      at === 7 || at === 9 ? [null, ...row.slice(1, 4), at === 9 ? null : row[4]!] : row,
    );
    const { valid, incomplete } = await read(rawTable(columns, holes));
    const whole = await read(
      rawTable(
        columns,
        rows.filter((_, at) => at !== 7 && at !== 9),
      ),
    );
    expect(valid!.contentHash()).toBe(whole.valid!.contentHash());
    expect(incomplete).toEqual([
      { file: 'x.csv', rows: 2, of: 20, columns: ['age', 'since'] },
      { file: 'x.csv', rows: 2, of: 20, columns: ['age', 'since'] },
    ]);
    expect(whole.incomplete).toEqual([]);
  });

  test('with such a hole in every row are refused with the remedy', async () => {
    const rows = rowsOf(20).map((row): RawCell[] => [null, ...row.slice(1)]);
    await expect(read(rawTable(columns, rows))).rejects.toMatchObject({
      code: 'missing-value',
      got: 'a missing value in every row: in "age"',
      where: 'x.csv',
      remedy: 'Give rows with these values, or train on rows with missing values in these columns.',
    });
  });
});

test('a column whose only holes are in held-out rows of one file has absence as a value', async () => {
  const heldOut = assignRows(200, fractions, seed).indexOf(1);
  const rows = rowsOf(200).map((row, at): RawCell[] => (at === heldOut ? [null, ...row.slice(1)] : row));
  const { table, train, valid } = await splits(rows);
  expect(table.variables[0]!.holes).toBe(1);
  const offsets = codeOffsets(table);
  const hole = otherCode(table.variables[0]!)! + 1;
  const holes = (matrix: typeof train): number =>
    readCodes(matrix, offsets[0]!, offsets[1]!).filter((code) => code === hole).length;
  expect([holes(train), holes(valid!)]).toEqual([0, 1]);
});

test('a column of which the training rows have no value is left out', async () => {
  const splitOf = assignRows(200, fractions, seed);
  const rows = rowsOf(200).map((row, at): RawCell[] => [...row, splitOf[at] === 0 ? null : String(at % 7)]);
  const { table } = await splits(rows, [...columns, 'late']);
  expect(table.leftOut).toEqual([{ name: 'late', why: 'the training rows have no value of it' }]);
});
