import { describe, expect, it } from 'vitest';
import { BitMatrix } from './bit-matrix.js';
import { columnOrder, matchSplits } from './match.js';
import { refusalOf, rowsOf } from '../bit-files/reading.suite.js';

const matrix = (rows: string[], names?: string): BitMatrix =>
  BitMatrix.fromRows(rows, { names: names ? [...names] : null });
const train = matrix(['011', '100'], 'abc');

describe('matchSplits', () => {
  it('puts columns in the order of the training rows by name', () => {
    const { valid, test } = matchSplits({ train, valid: matrix(['001'], 'cab'), test: matrix(['110'], 'abc') });
    expect(rowsOf(valid!)).toEqual(['010']);
    expect(valid!.names).toEqual(['a', 'b', 'c']);
    expect(rowsOf(test!)).toEqual(['110']);
  });

  it('goes by place where one side has no names, and leaves out splits that do not exist', () => {
    const valid = matrix(['001']);
    expect(matchSplits({ train, valid, test: null })).toEqual({ train, valid, test: null });
  });

  it('refuses splits of different columns, and names the missing and the extra', async () => {
    const refused = (valid: BitMatrix) =>
      refusalOf(() => matchSplits({ train, valid, test: null }, { train: 'train.csv', valid: 'valid.csv' }));
    expect(await refused(matrix(['0011'], 'abde'))).toMatchObject({
      code: 'column',
      got: 'columns without "c" and with "d", "e" besides',
      expected: 'the 3 columns of train.csv, in any order',
      where: 'valid.csv',
      remedy: 'Rename the columns, or choose the same ones of both.',
    });
    expect((await refused(matrix(['00'], 'ac'))).got).toBe('columns without "b"');
    expect(await refused(matrix(['00']))).toMatchObject({
      code: 'column',
      got: '2 columns',
      expected: '3, as in train.csv',
      where: 'valid.csv',
      remedy:
        'Choose the same columns of both. For libsvm, whose last columns may be empty, give the number of dimensions.',
    });
  });

  it('refuses a split without rows, and training rows that are all equal', async () => {
    const refused = (splits: Parameters<typeof matchSplits>[0]) => refusalOf(() => matchSplits(splits));
    const empty = BitMatrix.create(0, 3);
    const expected = {
      code: 'empty',
      got: 'no rows',
      expected: 'at least one',
      remedy: 'Leave the split out, or give it rows.',
    };
    expect(await refused({ train: empty, valid: null, test: null })).toMatchObject({ ...expected, where: 'train' });
    expect(await refused({ train, valid: empty, test: null })).toMatchObject({ ...expected, where: 'valid' });
    expect(await refused({ train, valid: null, test: empty })).toMatchObject({ ...expected, where: 'test' });
    expect(await refused({ train: matrix(['01', '01']), valid: null, test: null })).toMatchObject({
      code: 'value',
      got: '2 rows that are all equal',
      expected: 'rows that differ',
      where: 'train',
      remedy: 'Check that the right file, columns and threshold were given.',
    });
  });

  it('allows a single row, and a single column', () => {
    expect(matchSplits({ train: matrix(['01']), valid: null, test: null }).train.rows).toBe(1);
    expect(matchSplits({ train: matrix(['1', '1']), valid: null, test: null }).train.dimensions).toBe(1);
  });
});

describe('columnOrder', () => {
  it('says where each column of the training rows stands, or null where nothing moves', () => {
    const expected = { label: 'the network', dimensions: 3, names: ['a', 'b', 'c'] };
    const actual = (names: string[] | null) => ({ label: 'x.csv', dimensions: 3, names });
    expect(columnOrder(expected, actual(['b', 'c', 'a']))).toEqual(Uint32Array.of(2, 0, 1));
    expect(columnOrder(expected, actual(['a', 'b', 'c']))).toBeNull();
    expect(columnOrder(expected, actual(null))).toBeNull();
  });
});
