import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitMatrix } from '../rows/bit-matrix.js';
import { readContent, readMaskedContent, refusalOf, rowsOf } from './reading.suite.js';

describe('libsvm', () => {
  it('gives the same bits whatever the chunks, rows widening as indexes come', async () => {
    const rows = fc.array(fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3000 }))), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 100 }), async (indexes, chunkBytes) => {
        const sorted = indexes.map((row) => row.toSorted((a, b) => a - b));
        const text = sorted
          .map((row, i) => [i % 2 ? '+1' : '-1', ...row.map((index) => `${index}:1`)].join(' '))
          .join('\n');
        const matrix = await readContent(text, { name: 'x.libsvm', chunkBytes });
        const dimensions = Math.max(1, ...sorted.flat());
        const expected = BitMatrix.create(sorted.length, dimensions);
        sorted.forEach((row, i) => row.forEach((index) => expected.set(i, index - 1, 1)));
        expect(matrix.equals(expected)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps many rows when a late one is the widest', async () => {
    const text = `${'1 1:1 3:1\n'.repeat(20_000)}0 900:1\n`;
    const matrix = await readContent(text, { name: 'x.svm' });
    const counts = matrix.columnCounts();
    expect([matrix.rows, counts[0], counts[1], counts[2], counts[899]]).toEqual([20_001, 20_000, 0, 20_000, 1]);
  });

  it('skips labels, query ids, remarks, explicit zeros and blank lines', async () => {
    const text = '# a remark\n1 qid:7 1:1 2:0 4:1 # 3:1\n\n-1.5\t3:1\n0\n2:1\n';
    expect(rowsOf(await readContent(text, { name: 'x.libsvm' }))).toEqual(['1001', '0010', '0000', '0100']);
  });

  it('is known by its first line', async () => {
    expect(rowsOf(await readContent('1 2:1 3:1\n-1 1:1\n', { name: 'upload' }))).toEqual(['011', '100']);
  });

  it('has the dimensions that are given, and chosen indexes alone', async () => {
    const text = '1 1:1 5:1\n';
    expect(rowsOf(await readContent(text, { name: 'x.libsvm', dimensions: 7 }))).toEqual(['1000100']);
    expect(rowsOf(await readContent(text, { name: 'x.libsvm', columns: [5, 9] }))).toEqual(['10']);
  });

  it('is binarized, and may have missing values', async () => {
    expect(rowsOf(await readContent('1 1:0.2 2:9\n', { name: 'x.libsvm', threshold: 0.5 }))).toEqual(['01']);
    const { values, known } = await readMaskedContent('1 2:NaN 70:1\n1 1:1\n', { name: 'x.libsvm' });
    expect([values.get(0, 1), values.get(0, 69), values.get(1, 0)]).toEqual([0, 1, 1]);
    expect([...known.rowCounts()]).toEqual([69, 70]);
  });

  it('counts indexes from 0 where it is said, and refuses index 0 where it is not', async () => {
    const text = '1 0:1 3:1\n0 1:1\n';
    expect(rowsOf(await readContent(text, { name: 'x.libsvm', zeroBased: true }))).toEqual(['1001', '0100']);
    const chosen = await readContent(text, { name: 'x.libsvm', zeroBased: true, columns: [1, 2] });
    expect(rowsOf(chosen)).toEqual(['10', '01']);
    const wide = await readContent(text, { name: 'x.libsvm', zeroBased: true, dimensions: 6 });
    expect(wide.dimensions).toBe(6);
    const refusal = refusalOf(readContent(text, { name: 'x.libsvm', wordFor: (option) => `--${option}` }));
    expect(await refusal).toMatchObject({
      code: 'value',
      got: '"0:1"',
      expected: 'an index of at least 1',
      where: 'x.libsvm, line 1, character 3',
      remedy: 'Count the indexes from 1. If they count from 0 in this file, say so (--zeroBased).',
    });
    const narrow = refusalOf(readContent(text, { name: 'x.libsvm', zeroBased: true, dimensions: 3 }));
    expect(await narrow).toMatchObject({ got: '"3:1"', expected: 'an index of at most 2' });
    expect(await refusalOf(readContent('-1:1\n', { name: 'x.libsvm', zeroBased: true }))).toMatchObject({
      expected: 'an index of at least 0',
      remedy: 'Count the indexes from 0.',
    });
  });
});
