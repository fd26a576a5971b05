import type { Table } from '@orchard/contracts';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { BitMatrix } from '../rows/bit-matrix.js';
import { Columns } from '../rows/columns-of-rows.js';
import { DatasetError } from '../errors.js';
import { anyRows, matrixOf } from './random-variables.suite.js';

test('the rows of a table come back from their buffer with all that they mean, shared or not', () => {
  fc.assert(
    fc.property(anyRows, fc.boolean(), ({ table, codes }, shared) => {
      const matrix = matrixOf(table, codes, shared);
      const read = BitMatrix.from(matrix.buffer);
      expect(read.columns).toEqual(matrix.columns);
      expect(JSON.stringify(read.columns.document)).toBe(JSON.stringify(matrix.columns.document));
      expect(read.equals(matrix)).toBe(true);
      expect(read.contentHash()).toBe(matrix.contentHash());
    }),
  );
});

type Mutable = Record<string | number, unknown>;

/** The same rows, each time with another field of the table changed to another of its kind. */
function changed(table: Table): Table[] {
  const all: Table[] = [];
  const walk = (path: readonly (string | number)[], value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
      for (const key of keys) walk([...path, key], (value as Mutable)[key]);
      return;
    }
    const copy = structuredClone(table) as unknown as Mutable;
    const place = path.slice(0, -1).reduce<Mutable>((at, key) => at[key] as Mutable, copy);
    const last = path.at(-1)!;
    if (typeof value === 'string') place[last] = `${value}!`;
    else if (typeof value === 'number') place[last] = value + 1;
    else if (typeof value === 'boolean') place[last] = !value;
    else place[last] = 0;
    all.push(copy as unknown as Table);
  };
  walk([], table);
  return all;
}

test('a table of which anything is different has another hash, and one that is the same has the same', () => {
  fc.assert(
    fc.property(anyRows, ({ table, codes }) => {
      const matrix = matrixOf(table, codes);
      const again = matrixOf(structuredClone(table), structuredClone(codes), true);
      expect(again.contentHash()).toBe(matrix.contentHash());
      const tables = changed(table);
      const hashes = new Set([matrix.contentHash()]);
      for (const other of tables) {
        const { tailNats } = matrix.columns.codes;
        // a hash is of what is said, right or wrong: what is wrong has no buffer to be read from
        hashes.add(withMeaning(matrix, Columns.of(other, tailNats)).contentHash());
      }
      hashes.add(
        withMeaning(
          matrix,
          Columns.of(
            table,
            table.variables.map(() => -1),
          ),
        ).contentHash(),
      );
      hashes.add(withMeaning(matrix, Columns.alike(matrix.dimensions, null)).contentHash());
      expect(hashes.size).toBe(tables.length + 3);
    }),
    { numRuns: 30 },
  );
});

/** The same bits with another meaning; nothing checks it. */
function withMeaning(matrix: BitMatrix, columns: Columns): BitMatrix {
  const { rows, dimensions, stride, bytes } = matrix;
  return Object.assign(Object.create(BitMatrix.prototype) as BitMatrix, {
    ...{ rows, dimensions, stride, bytes, names: null, shape: null, columns },
  });
}

test('one bit makes another hash', () => {
  fc.assert(
    fc.property(
      anyRows.filter(({ codes }) => codes.length > 0),
      fc.nat(),
      fc.nat(),
      ({ table, codes }, row, dim) => {
        const matrix = matrixOf(table, codes);
        const before = matrix.contentHash();
        const at = [row % matrix.rows, dim % matrix.dimensions] as const;
        matrix.set(...at, matrix.get(...at) === 0);
        expect(matrix.contentHash()).not.toBe(before);
      },
    ),
  );
});

test('a buffer of a table whose words were damaged is refused, not read as something else', () => {
  fc.assert(
    fc.property(anyRows, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ table, codes }, place, bits) => {
      const matrix = matrixOf(table, codes);
      const bytes = new Uint8Array(matrix.buffer);
      const at = 64 + (place % (matrix.bytes.byteOffset - 64));
      bytes[at]! ^= bits;
      try {
        BitMatrix.from(matrix.buffer);
      } catch (error) {
        expect(error).toBeInstanceOf(DatasetError);
        expect(error).toMatchObject({ code: 'buffer' });
      }
    }),
    { numRuns: 300 },
  );
});

test('rows of 0 and 1 keep the buffer and the hash that they had before there were tables', () => {
  const rows = ['110', '001', '111'];
  const plain = BitMatrix.fromRows(rows);
  const named = BitMatrix.fromRows(rows, { names: ['a', 'b', 'é'] });
  const shaped = BitMatrix.fromRows(['110100'], { shape: [2, 3] });
  const digest = (matrix: BitMatrix): string =>
    createHash('sha256').update(new Uint8Array(matrix.buffer)).digest('hex').slice(0, 16);
  expect(
    [plain, named, shaped].map((matrix) => [
      new DataView(matrix.buffer).getUint32(8, true),
      digest(matrix),
      matrix.contentHash().slice(0, 16),
    ]),
  ).toEqual([
    [1, '84c304cc8a1721eb', '6e2e451caa1d307b'],
    [1, 'eaa0838f8a15c1b1', 'c0868524aad75c31'],
    [1, 'c178f947c7794d9c', '388fb4fa8845c782'],
  ]);
});
