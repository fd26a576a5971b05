import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BATCH_ROWS } from '../raw-table.js';
import { readTable } from '../opening.suite.js';

describe('delimited text', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(',', ';', '"', '\n', '\r', '\t', ' ', '|', 'a', 'é', '🌲'), maxLength: 6 }),
    fc.constantFrom('1', '-2.5', 'yes', 'a text that is longer than twelve characters'),
  );
  const tables = fc
    .tuple(
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(',', ';', '|', '\t', ' '),
      fc.constantFrom('\n', '\r\n', '\r'),
    )
    .chain(([width, delimiter, lineEnd]) =>
      fc.record({
        delimiter: fc.constant(delimiter),
        lineEnd: fc.constant(lineEnd),
        rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }),
        quoteAll: fc.boolean(),
        lastLineEnd: fc.boolean(),
        chunkBytes: fc.integer({ min: 1, max: 40 }),
      }),
    );

  it('gives the same cells, whatever stands in them, in whatever chunks it comes', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ delimiter, lineEnd, rows, quoteAll, lastLineEnd, chunkBytes }) => {
        const written = (text: string): string =>
          quoteAll ||
          text === '' ||
          text.trim() !== text ||
          /["\r\n]/.test(text) ||
          text.includes(delimiter) ||
          /[ \t]/.test(text)
            ? `"${text.replaceAll('"', '""')}"`
            : text;
        const text = rows.map((row) => row.map(written).join(delimiter)).join(lineEnd) + (lastLineEnd ? lineEnd : '');
        const read = await readTable(text, { chunkBytes, header: false, delimiter, missing: [] });
        expect(read.rows).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['commas', ',', null],
    ['semicolons', ';', 'Cells are separated by semicolons.'],
    ['vertical bars', '|', 'Cells are separated by vertical bars.'],
    ['tabs', '\t', 'Cells are separated by tabs.'],
    ['blanks', '  ', 'Cells are separated by blanks.'],
  ])('is known to be separated by %s, whatever stands in quotes', async (_, delimiter, note) => {
    const rows = [
      ['name', 'n', 'x'],
      ['"a;b|c,d e"', '1', '2.5'],
      ['"f,g\n\th;;i"', '2', '3.5'],
    ];
    const read = await readTable(rows.map((row) => row.join(delimiter)).join('\n'), { name: 'upload' });
    expect(read.columns).toEqual(['name', 'n', 'x']);
    expect(read.rows).toEqual([
      ['a;b|c,d e', '1', '2.5'],
      ['f,g\n\th;;i', '2', '3.5'],
    ]);
    expect(read.notes.includes(String(note))).toBe(note !== null);
  });

  it('is separated by no delimiter that cuts through quotes, though it cuts the first row', async () => {
    const { columns, rows } = await readTable('name,a|b,n\n"x|y",u,1\n"p|q",v,2\n', { name: 'upload' });
    expect(columns).toEqual(['name', 'a|b', 'n']);
    expect(rows[0]).toEqual(['x|y', 'u', '1']);
  });

  it('takes decimal commas for no delimiter, and says how they become numbers', async () => {
    const text = 'Größe;Gewicht\n1,82;80,5\n1,75;72,25\n';
    const asText = await readTable(text);
    expect(asText.rows[0]).toEqual(['1,82', '80,5']);
    expect(asText.notes.join(' ')).not.toContain('1,82');
    const { rows, columns } = await readTable(`${text}1.234,5;"1,5"\n01.02.2026;3\n1.250;\u22125,5\n`, {
      decimal: ',',
    });
    expect(columns).toEqual(['Größe', 'Gewicht']);
    expect(rows).toEqual([
      ['1.82', '80.5'],
      ['1.75', '72.25'],
      ['1234.5', '1.5'],
      ['01.02.2026', '3'],
      ['1250', '-5.5'],
    ]);
  });

  it('has holes where its marks stand, in quotes or not, and others on request', async () => {
    const text = 'a,b,c\n,NA,"?"\n"",N/A,nan\nnull,NULL,None\n-,NaN,na\nn/a,<NA>,#N/A\n';
    expect((await readTable(text)).rows).toEqual([
      [null, null, null],
      [null, null, null],
      [null, null, null],
      ['-', null, 'na'],
      [null, null, null],
    ]);
    expect((await readTable(text, { missing: ['-'] })).rows[3]).toEqual([null, 'NaN', 'na']);
    expect((await readTable(text, { missing: ['-'] })).rows[0]).toEqual(['', 'NA', '?']);
  });

  it.each([1, 4, 1000])('has no rows in empty lines, read in pieces of %i bytes', async (chunkBytes) => {
    const text = '\n\r\na,b\n\n1,x\n2,"y\n\nz"\n\n\n\n3,w\n\n';
    const { columns, rows } = await readTable(text, { chunkBytes });
    expect([columns, rows]).toEqual([
      ['a', 'b'],
      [
        ['1', 'x'],
        ['2', 'y\n\nz'],
        ['3', 'w'],
      ],
    ]);
  });

  it('may begin with a byte order mark, end in empty lines, and have blanks around its cells', async () => {
    const read = await readTable('\uFEFFage, state\r\n39, "New York" \r\n 40,Ohio\t\r\n\r\n\r\n');
    expect(read.columns).toEqual(['age', 'state']);
    expect(read.rows).toEqual([
      ['39', 'New York'],
      ['40', 'Ohio'],
    ]);
  });

  it('comes in batches, and from the beginning in every pass', async () => {
    const rows = 2 * BATCH_ROWS + 5;
    const text = `n,square\n${Array.from({ length: rows }, (_, i) => `${i},${i * i}`).join('\n')}\n`;
    const read = await readTable(text, { chunkBytes: 1000 });
    expect(read.rows.length).toBe(rows);
    expect(read.rows.every(([n, square], i) => n === String(i) && square === String(i * i))).toBe(true);
  });

  it('has one column where no delimiter cuts it, and says so', async () => {
    const read = await readTable('city\nNew York\nLos Angeles\nRome\n');
    expect([read.columns, read.rows]).toEqual([['city'], [['New York'], ['Los Angeles'], ['Rome']]]);
    expect(read.notes[0]).toBe('The table has one column; if there are more, give the delimiter.');
  });

  it('of the name .tsv has tabs, even where commas cut it too', async () => {
    const text = 'a,b\tc\n1,5\t2\n';
    expect((await readTable(text, { name: 'x.tsv' })).columns).toEqual(['a,b', 'c']);
    expect((await readTable(text, { name: 'x.csv', delimiter: ',' })).columns).toEqual(['a', 'b\tc']);
  });
});
