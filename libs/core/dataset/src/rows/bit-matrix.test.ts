import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitMatrix } from './bit-matrix.js';
import { refusalOf } from '../bit-files/reading.suite.js';

/** Rows of equal length, at random; lengths around the edges of bytes and words included. */
const someRows = fc
  .oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(63, 64, 65, 128, 130))
  .chain((d) =>
    fc.array(fc.array(fc.constantFrom(0, 1), { minLength: d, maxLength: d }), { minLength: 1, maxLength: 12 }),
  );

describe('BitMatrix', () => {
  it('gives back the bits it was made from, packed like numpy.packbits', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const matrix = BitMatrix.fromRows(rows);
        expect(matrix.stride % 8).toBe(0);
        rows.forEach((values, row) => values.forEach((value, dim) => expect(matrix.get(row, dim)).toBe(value)));
      }),
    );
    expect([...BitMatrix.fromRows(['1000000011']).bytes]).toEqual([0x80, 0xc0, 0, 0, 0, 0, 0, 0]);
  });

  it('counts ones by column and by row', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const matrix = BitMatrix.fromRows(rows);
        const column = (dim: number) => rows.reduce<number>((sum, values) => sum + (values[dim] ?? 0), 0);
        expect([...matrix.columnCounts()]).toEqual(rows[0]!.map((_, dim) => column(dim)));
        expect([...matrix.rowCounts()]).toEqual(rows.map((values) => values.reduce<number>((a, b) => a + b, 0)));
      }),
    );
  });

  it('selects and permutes columns and rows', () => {
    fc.assert(
      fc.property(someRows, fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (rows, picks) => {
        const matrix = BitMatrix.fromRows(rows);
        const dims = picks.map((pick) => pick % matrix.dimensions);
        const chosen = picks.map((pick) => pick % matrix.rows);
        expect(matrix.selectColumns(dims).equals(BitMatrix.fromRows(rows.map((r) => dims.map((d) => r[d]!))))).toBe(
          true,
        );
        const [from, to] = [rows.length >> 2, rows.length - (rows.length >> 2)];
        expect(matrix.sliceRows(from, to).equals(BitMatrix.fromRows(rows.slice(from, to)))).toBe(true);
        expect(matrix.selectRows(chosen).equals(BitMatrix.fromRows(chosen.map((row) => rows[row]!)))).toBe(true);
      }),
    );
  });

  it('keeps names with their columns, and the shape only where nothing moves', () => {
    const matrix = BitMatrix.fromRows(['0110'], { names: ['a', 'b', 'c', 'd'], shape: [2, 2], shared: true });
    expect(matrix.selectColumns([2, 0]).names).toEqual(['c', 'a']);
    expect(matrix.selectColumns([2, 0, 1, 3]).shape).toBeNull();
    expect(matrix.selectColumns([0, 1, 2, 3]).shape).toEqual([2, 2]);
    expect(matrix.selectRows([0, 0]).shape).toEqual([2, 2]);
    expect(matrix.selectRows([0]).buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('sets and clears bits without touching their neighbours', async () => {
    const matrix = BitMatrix.fromRows(['0101', '1111']);
    matrix.set(0, 0, 1);
    matrix.set(1, 2, false);
    expect(matrix.equals(BitMatrix.fromRows(['1101', '1101']))).toBe(true);
    expect(await refusalOf(() => matrix.set(0, 4, 1))).toMatchObject({ code: 'argument', got: 'dimension 4' });
    expect(await refusalOf(() => matrix.set(2, 0, 1))).toMatchObject({ code: 'argument', got: 'row 2' });
  });

  it('is its buffer: another object on it sees the same bits, names and shape without a copy', () => {
    for (const shared of [false, true]) {
      const first = BitMatrix.fromRows(['011010'], {
        names: ['ä', 'b', '"c"', 'd,', 'e\n', '🌳'],
        shape: [2, 3],
        shared,
      });
      const second = BitMatrix.from(first.buffer);
      expect(second.equals(first)).toBe(true);
      expect(second.names).toEqual(first.names);
      first.set(0, 0, 1);
      expect(second.get(0, 0)).toBe(1);
    }
  });

  it('may be without rows', () => {
    const matrix = BitMatrix.create(0, 3);
    expect([...matrix.columnCounts()]).toEqual([0, 0, 0]);
    expect(BitMatrix.from(matrix.buffer).rows).toBe(0);
  });

  it('refuses sizes, names and shapes that cannot be', async () => {
    expect(await refusalOf(() => BitMatrix.create(1, 0))).toMatchObject({ code: 'argument' });
    expect(await refusalOf(() => BitMatrix.create(-1, 2))).toMatchObject({ code: 'argument' });
    expect(await refusalOf(() => BitMatrix.create(1.5, 2))).toMatchObject({ code: 'argument' });
    expect(await refusalOf(() => BitMatrix.create(4294967295, 4294967295))).toMatchObject({ code: 'limit' });
    expect(await refusalOf(() => BitMatrix.create(1, 2, { names: ['a'] }))).toMatchObject({
      code: 'column',
      got: '1 names',
    });
    expect(await refusalOf(() => BitMatrix.create(1, 2, { names: ['a', 'a'] }))).toMatchObject({ code: 'column' });
    expect(await refusalOf(() => BitMatrix.create(1, 2, { names: ['a', ''] }))).toMatchObject({ code: 'column' });
    expect(await refusalOf(() => BitMatrix.create(1, 1, { names: ['\ud800'] }))).toMatchObject({ code: 'column' });
    expect(await refusalOf(() => BitMatrix.create(1, 6, { shape: [2, 2] }))).toMatchObject({ got: 'the shape 2x2' });
    expect(await refusalOf(() => BitMatrix.fromRows([]))).toMatchObject({ code: 'empty' });
    expect(await refusalOf(() => BitMatrix.fromRows(['01', '011']))).toMatchObject({ code: 'ragged', where: 'row 2' });
    expect(await refusalOf(() => BitMatrix.fromRows(['01', [0, 2]]))).toMatchObject({
      code: 'value',
      where: 'row 2, column 2',
    });
  });

  it('refuses buffers with any header byte or padding bit out of order', async () => {
    const good = BitMatrix.fromRows(['01101'], { names: ['a', 'b', 'c', 'd', 'e'], shape: [1, 5] });
    const bitsOffset = good.bytes.byteOffset;
    const changed = (at: number, flip: number): ArrayBuffer => {
      const copy = new Uint8Array(good.buffer.slice(0));
      copy[at]! ^= flip;
      return copy.buffer as ArrayBuffer;
    };
    for (let at = 0; at < 64; at++) {
      const error = await refusalOf(() => BitMatrix.from(changed(at, 0x40)));
      expect(error, `byte ${at}`).toMatchObject({ code: 'buffer', retryable: false });
    }
    expect((await refusalOf(() => BitMatrix.from(changed(64, 1)))).code).toBe('buffer'); // names no longer JSON
    expect((await refusalOf(() => BitMatrix.from(changed(bitsOffset, 4)))).got).toBe(
      'bits beyond dimension 5 in row 0',
    );
    expect((await refusalOf(() => BitMatrix.from(changed(bitsOffset + 7, 1)))).expected).toBe('zero padding');
    expect((await refusalOf(() => BitMatrix.from(good.buffer.slice(0, 30)))).got).toBe('30 bytes');
    expect((await refusalOf(() => BitMatrix.from(good.buffer.slice(0, -8)))).code).toBe('buffer');
  });
});

describe('the content hash', () => {
  it('is SHA-256 over the documented layout', () => {
    const matrix = BitMatrix.fromRows(['101000001', '000000011'], { names: [...'äbcdefghi'], shape: [3, 3] });
    const u32 = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
    const names = [...'äbcdefghi'].flatMap((name) => [u32(Buffer.byteLength(name)), Buffer.from(name)]);
    const layout = [Buffer.from('ORCHDATA'), u32(1, 2, 9, 1), ...names, u32(3, 3), Buffer.from([0xa0, 0x80, 1, 0x80])];
    expect(matrix.contentHash()).toBe(createHash('sha256').update(Buffer.concat(layout)).digest('hex'));
  });

  it('is the same for the same data on any kind of buffer, and goes with equality', () => {
    const rows = ['0110100', '1010101'];
    const plain = BitMatrix.fromRows(rows);
    expect(BitMatrix.fromRows(rows, { shared: true }).contentHash()).toBe(plain.contentHash());
    const others = [
      BitMatrix.fromRows(['0110100', '1010100']),
      BitMatrix.fromRows(['0110100']),
      BitMatrix.fromRows(['01101000', '10101010']),
      BitMatrix.fromRows(rows, { names: [...'abcdefg'] }),
      BitMatrix.fromRows(rows, { shape: [1, 7] }),
      BitMatrix.fromRows(rows, { shape: [7, 1] }),
    ];
    const hashes = new Set([plain, ...others].map((matrix) => matrix.contentHash()));
    expect(hashes.size).toBe(7);
    expect(others.some((other) => other.equals(plain))).toBe(false);
  });

  it('covers every block of a matrix larger than one', () => {
    const matrix = BitMatrix.create(50_000, 130);
    const before = matrix.contentHash();
    matrix.set(49_999, 129, 1);
    expect(matrix.contentHash()).not.toBe(before);
  });
});
