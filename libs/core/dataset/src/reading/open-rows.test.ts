import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { npyFileOf, numpyTypes, sourceOf } from '../bit-files/reading.suite.js';
import { DatasetError } from '../errors.js';
import { rowsOf } from '../table-files/opening.suite.js';
import { openRows, type RowsOptions } from './open-rows.js';
import { randomFiles, type RandomFile } from './random-files.suite.js';
import type { TableFileOptions } from '../table-files/table-options.js';
import { openRowFile, type RowFile } from './row-file.js';

/** What a file is read as: its bits, its cells, or the code of its refusal. */
async function readAs(
  { name, text }: Pick<RandomFile, 'name'> & { readonly text: string | Uint8Array },
  options: RowsOptions = { bits: {}, table: {} },
): Promise<unknown> {
  const file = await openRowFile(sourceOf(text, name, 97));
  try {
    const rows = await openRows(file, options);
    if (rows.kind === 'table') return { columns: rows.table.columns, rows: await rowsOf(rows.table) };
    const { matrix } = rows;
    const bits = (row: number): string =>
      Array.from({ length: matrix.dimensions }, (_, dim) => matrix.get(row, dim)).join('');
    return { names: matrix.names, bits: Array.from({ length: matrix.rows }, (_, row) => bits(row)) };
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    return { refused: error.code };
  } finally {
    await file.close();
  }
}

describe('rows of a file', () => {
  test('are what two readers, one of bits and one of tables, made of 200 files before there was one', async () => {
    const digests = readFileSync(new URL('random-files.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    for (const [i, file] of randomFiles(digests.length).entries()) {
      const read = await readAs(file);
      if (/\r(?!\n)/.test(file.text)) {
        // lines that end in CR alone were read as tables only
        expect(read).toEqual(await readAs({ ...file, text: file.text.replaceAll('\r', '\n') }));
        continue;
      }
      const digest = createHash('sha256').update(JSON.stringify(read)).digest('hex').slice(0, 8);
      // since then four of them are refused, whose line 1 may be names or values, or is a cell short without row names
      if (digest === digests[i]) continue;
      // empty lines between rows were refused
      const text = file.text.replace(/(\r?\n)(?:\r?\n)+/g, '$1').replace(/^\r?\n/, '');
      if (text === file.text) expect({ ...file, read }, `file ${i}`).toBeNull();
      expect(read).toEqual(await readAs({ ...file, text }));
    }
  });

  test('of a NumPy array are the same cells, as bits and as a table, whatever its type, byte order and order', async () => {
    const bit = fc.integer({ min: 0, max: 1 });
    const array = fc
      .record({ rows: fc.integer({ min: 1, max: 9 }), columns: fc.integer({ min: 1, max: 9 }) })
      .chain(({ rows, columns }) =>
        fc.record({
          rows: fc.array(fc.array(bit, { minLength: columns, maxLength: columns }), {
            minLength: rows,
            maxLength: rows,
          }),
          at: fc.record({ row: fc.nat(rows - 1), column: fc.nat(columns - 1) }),
          type: fc.constantFrom(...numpyTypes),
          little: fc.boolean(),
          fortran: fc.boolean(),
        }),
      );
    await fc.assert(
      fc.asyncProperty(array, async ({ rows, at, ...form }) => {
        const name = 'x.npy';
        const text = npyFileOf(rows, form);
        const cell = (value: number): number | boolean => (form.type === 'b1' ? value !== 0 : value);
        expect(await readAs({ name, text })).toEqual({ names: null, bits: rows.map((row) => row.join('')) });
        expect(await readAs({ name, text }, { bits: null, table: {} })).toMatchObject({
          rows: rows.map((row) => row.map(cell)),
        });
        if (form.type === 'b1') return;
        // one number more, and the same file is a table for whoever asks for either
        const others = rows.map((row, y) => row.map((value, x) => (y === at.row && x === at.column ? 7 : value)));
        const other = npyFileOf(others, form);
        expect(await readAs({ name, text: other })).toMatchObject({ rows: others });
        expect(await readAs({ name, text: other }, { bits: {}, table: null })).toEqual({ refused: 'value' });
        expect(await readAs({ name, text: other }, { bits: { threshold: 1 }, table: null })).toEqual({
          names: null,
          bits: others.map((row) => row.map((value) => (value > 1 ? 1 : 0)).join('')),
        });
      }),
      { numRuns: 60 },
    );
  });

  test('of a table that begins like bits are those of the table, wherever its first other cell stands', async () => {
    const text = fc
      .record({
        bits: fc.array(fc.array(fc.constantFrom('0', '1', '0', '1', '"1"'), { minLength: 3, maxLength: 3 }), {
          minLength: 1,
          maxLength: 60,
        }),
        other: fc.constantFrom('1.0,0,1', '1,0,7', '0,x,1', '1,0', '1,0,"', '', 'NA,1,1', '\ufeff,1,1', '1,0,1,1'),
        at: fc.nat(60),
        behind: fc.constantFrom('2,2,2', '1,"a\nb",0'),
        names: fc.constantFrom('', 'a,b,c\n'),
        mark: fc.constantFrom('', '\ufeff'),
        lineEnd: fc.constantFrom('\n', '\r\n'),
      })
      .map(({ bits, other, at, behind, names, mark, lineEnd }) => {
        const lines = bits.map((row) => row.join(','));
        lines.splice(at, 0, other);
        return mark + (names + [...lines, behind].join('\n')).replaceAll('\n', lineEnd);
      });
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom<TableFileOptions>({}, { missing: ['0'] }), async (content, table) => {
        const file = { name: 'x.csv', text: content };
        expect(await readAs(file, { bits: {}, table })).toEqual(await readAs(file, { bits: null, table }));
      }),
      { numRuns: 80 },
    );
  });

  test('are cut into cells once: those of digits before the first other cell are not read again', async () => {
    const bits = 'a,b\n' + '0,1\n1,1\n'.repeat(3000);
    let passes = 0;
    const file: RowFile = {
      ...(await openRowFile(sourceOf(bits, 'x.csv'))),
      // whoever cut the rows of a later pass would find 5 in each
      async *bytes() {
        const rows = passes++ === 0 ? bits : bits.replaceAll('1', '5');
        yield Buffer.from(`${rows}0,7\n`);
      },
    };
    const rows = await openRows(file, { bits: {}, table: {} });
    const read = rows.kind === 'table' ? await rowsOf(rows.table) : [];
    expect(new Set(read.map((row) => row.join(' ')))).toEqual(new Set(['0 1', '1 1', '0 7']));
    expect(read).toHaveLength(6001);
    await file.close();
  });

  test('are bits alone where a table is not wanted, and a table where bits are not', async () => {
    const bits = { name: 'x.csv', text: 'a,b\n0,1\n1,1\n' };
    const table = { name: 'x.csv', text: 'a,b\n0,x\n1,y\n' };
    expect(await readAs(bits)).toEqual({ names: ['a', 'b'], bits: ['01', '11'] });
    expect(await readAs(bits, { bits: null, table: {} })).toMatchObject({ columns: ['a', 'b'] });
    expect(await readAs(table, { bits: {}, table: null })).toEqual({ refused: 'value' });
  });

  test('that are none of bits say why, beside their table', async () => {
    const file = await openRowFile(sourceOf('a,b\n0,x\n', 'x.csv'));
    const rows = await openRows(file, { bits: {}, table: {} });
    expect(rows).toMatchObject({
      kind: 'table',
      whyNotBits: { code: 'value', where: 'x.csv, line 2, column 2 ("b")' },
    });
    await file.close();
  });
});
