import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { expect, test } from 'vitest';
import { BitMatrix, parseHead, readDataset, type ReadOptions } from '../index.js';

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

function read(body: Uint8Array, options: ReadOptions = {}): Promise<BitMatrix> {
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    yield body;
  }
  return readDataset({ name: 'body', bytes: bytes() }, options);
}

/** An NPY file of bytes whose header promises so many rows and columns, without a value. */
function npy(rows: number, columns: number, fortran = false): Uint8Array {
  const order = fortran ? 'True' : 'False';
  const header = `{'descr': '|u1', 'fortran_order': ${order}, 'shape': (${rows}, ${columns}), }`.padEnd(117) + '\n';
  return bytesOf(`\x93NUMPY\x01\x00${String.fromCharCode(header.length, 0)}${header}`);
}

test('the widest rows are read, and a column more is refused in every format', async () => {
  const most = MAXIMUM_DIMENSIONS;
  expect((await read(bytesOf(`${'0,'.repeat(most - 1)}1\n`))).dimensions).toBe(most);
  for (const [body, format] of [
    [bytesOf(`${'0,'.repeat(most)}1\n`), 'csv'],
    [bytesOf(`${'0\t'.repeat(most)}1\n`), 'tsv'],
    [bytesOf(`1 ${most + 1}:1\n`), 'libsvm'],
    [npy(1, most + 1), 'npy'],
    [npy(1, most + 1, true), 'npy'],
  ] as const) {
    await expect(read(body, { format })).rejects.toThrow(`at most ${most}`);
  }
  expect(() => BitMatrix.create(1, most + 1)).toThrow(`at most ${most}`);
});

test('of a file that is wider some columns may be chosen', async () => {
  const wide = bytesOf(`${'0,'.repeat(MAXIMUM_DIMENSIONS)}1\n`);
  const chosen = await read(wide, { columns: [1, MAXIMUM_DIMENSIONS + 1] });
  expect([chosen.dimensions, chosen.get(0, 0), chosen.get(0, 1)]).toEqual([2, 0, 1]);
  expect(
    (await read(bytesOf(`1 ${MAXIMUM_DIMENSIONS + 1}:1\n`), { columns: [MAXIMUM_DIMENSIONS + 1] })).get(0, 0),
  ).toBe(1);
  // a header that promises 10^15 columns is no reason to make room for them
  await expect(read(npy(1, 1e15), { columns: [1] })).rejects.toThrow('dimensions');
});

test('columns that a list of ranges names again and again are refused at the second time', async () => {
  const columns = Array.from({ length: 2_000 }, () => '1-200000');
  await expect(read(bytesOf(`${'0,'.repeat(200_000)}1\n`), { columns })).rejects.toThrow('column 1 twice');
});

test('memory is announced before it is taken, and what refuses it ends the reading', async () => {
  let held = 0;
  let most = 0;
  const onMemory = (bytes: number): void => {
    held += bytes;
    most = Math.max(most, held);
  };
  // a row of one column takes eight bytes: twice, once in chunks and once whole
  const rows = 1 << 20;
  const matrix = await read(bytesOf('1\n'.repeat(rows)), { onMemory });
  expect(matrix.rows).toBe(rows);
  expect(held).toBeGreaterThanOrEqual(8 * rows);
  expect(held).toBeLessThan(8 * rows + 2 ** 20);
  expect(most).toBeGreaterThanOrEqual(16 * rows);
  expect(most).toBeLessThan(16 * rows + 2 ** 24);

  const limited = (limit: number): ReadOptions => {
    let taken = 0;
    return {
      onMemory: (bytes) => {
        taken += bytes;
        if (taken > limit) throw new RangeError(`no room for ${taken} bytes`);
      },
    };
  };
  await expect(read(bytesOf('1\n'.repeat(rows)), limited(2 ** 22))).rejects.toThrow('no room');
  // announced by a header alone
  await expect(read(npy(2 ** 24, 128, true), limited(2 ** 22))).rejects.toThrow('no room');
  // each categorical column has room of its own
  const hot = { ...limited(2 ** 24), header: false, oneHot: ['1-20000'] };
  await expect(read(bytesOf(`${'a,'.repeat(19_999)}b\n`), hot)).rejects.toThrow('no room');
});

test('the first bytes of a packed matrix say how large it is', () => {
  const matrix = BitMatrix.create(1000, 70, { names: Array.from({ length: 70 }, (_, dim) => `v${dim}`) });
  const whole = new Uint8Array(matrix.buffer);
  const head = parseHead(whole.subarray(0, 64));
  expect(head).toMatchObject({ rows: 1000, dimensions: 70, bytes: whole.length });
  expect(() => parseHead(bytesOf('x'.repeat(64)))).toThrow('magic');
  expect(() => parseHead(bytesOf('x'.repeat(8)))).toThrow('magic');
  expect(() => parseHead(whole.subarray(0, 63))).toThrow('64 bytes');
});
