import { describe, expect, it } from 'vitest';
import { readContent, refusalOf, rowsOf } from '../../bit-files/reading.suite.js';
import { readTable, type Opening } from '../opening.suite.js';

describe('lines that are passed over', () => {
  const above = 'Sales, by day\r\n"all of them\r\n\r\nday,units\r\n2024-01-01,3\r\n2024-01-02,x"y\r\n';

  it.each([1, 5, 1000])('are those above a table, by their number (pieces of %i bytes)', async (chunkBytes) => {
    const { columns, rows } = await readTable(above, { skip: 2, chunkBytes });
    expect(columns).toEqual(['day', 'units']);
    expect(rows[0]).toEqual(['2024-01-01', '3']);
  });

  it('count in what messages say of the others', async () => {
    const text = 'title\nand more\na,b\n1,2\n3\n';
    expect(await refusalOf(readTable(text, { skip: 2 }))).toMatchObject({
      expected: '2, as on line 3, which has the names',
      where: 'x.csv, line 5',
    });
    const { notes } = await readTable('title\nKiel,5\nLund,7\n', { skip: 1 });
    expect(notes.join(' ')).toContain('Line 2 is taken for values');
  });

  it('are remarks anywhere but in quotes', async () => {
    const text = '# by Ann\nday,text\n1,"a\n# b"\n#2,c\n3,#d\n# the end';
    for (const chunkBytes of [1, 7, 1000]) {
      const { columns, rows } = await readTable(text, { comment: '#', chunkBytes });
      expect(columns).toEqual(['day', 'text']);
      expect(rows).toEqual([
        ['1', 'a\n# b'],
        ['3', '#d'],
      ]);
    }
  });

  it('may begin with several characters, of which some begin a row', async () => {
    const { rows } = await readTable('a,b\n// one\n/,2\n', { comment: '//' });
    expect(rows).toEqual([['/', '2']]);
  });

  it('are those of JSON lines, libsvm and rows of 0 and 1 too', async () => {
    const objects = 'of Ann\n// one\n{"a": 1}\n// two\n{"a": 2}\n';
    expect((await readTable(objects, { name: 'x.jsonl', skip: 1, comment: '//' })).rows).toEqual([[1], [2]]);
    const sparse = 'of Ann\n// one\n1 1:2\n';
    expect((await readTable(sparse, { name: 'x.svm', skip: 1, comment: '//' })).rows).toEqual([[2]]);
    const bits = 'of Ann\n// one\na,b\n0,1\n// two\n1,1\n';
    expect(rowsOf(await readContent(bits, { skip: 1, comment: '//' }))).toEqual(['01', '11']);
  });
});

describe('single quotes', () => {
  it.each([
    ['names and words', "'name','city','n'\n'Ann, P','Kiel',3\n'Ray''s','Bonn',8\n"],
    ['words alone', "name,city,n\n'Ann, P','Kiel',3\n'Ray''s','Bonn',8\n"],
    ['names alone', "'name';'city';'n'\n\"Ann, P\";Kiel;3\nRay's;Bonn;8\n".replaceAll('"', '')],
  ])('around %s are known, and it is said', async (_, text) => {
    const { columns, rows, notes } = await readTable(text, { wordFor: () => '--quote' });
    expect(columns).toEqual(['name', 'city', 'n']);
    expect(rows).toEqual([
      ['Ann, P', 'Kiel', '3'],
      ["Ray's", 'Bonn', '8'],
    ]);
    expect(notes).toContain('Cells stand in single quotes; if these are part of the text, say so (--quote).');
  });

  it('are part of the text where it is said, or some cells have others', async () => {
    const text = "name,n\n'Ann',3\n'Ray',8\n";
    expect((await readTable(text, { quote: '"' })).rows[0]).toEqual(["'Ann'", '3']);
    expect((await readTable(text.replace("'Ray'", '"Ray"'))).rows[0]).toEqual(["'Ann'", '3']);
    expect((await readTable("name,n\n'tis,3\n'twas,8\n")).rows[0]).toEqual(["'tis", '3']);
  });

  it('around the names of rows of 0 and 1 are no part of these', async () => {
    const text = "'a','b'\n0,1\n1,1\n";
    expect((await readContent(text, { quote: "'" })).names).toEqual(['a', 'b']);
    expect(await refusalOf(readContent(text))).toMatchObject({ code: 'header', where: 'x.csv, line 1' });
  });
});

describe('quotes and escapes as they are said', () => {
  it.each<[string, string, Opening, string[][]]>([
    [
      'none',
      'a\tb\n5"\tx"y\n"\t"2"\n',
      { quote: 'none' },
      [
        ['5"', 'x"y'],
        ['"', '"2"'],
      ],
    ],
    [
      'an escape in quotes',
      'a,b\n"x \\"y\\", z",1\n"\\\\",2\n',
      { escape: '\\' },
      [
        ['x "y", z', '1'],
        ['\\', '2'],
      ],
    ],
    [
      'an escape outside of them',
      'a,b\nx\\, y,1\nz\\\nw,2\n',
      { escape: '\\' },
      [
        ['x, y', '1'],
        ['z\nw', '2'],
      ],
    ],
    [
      'an escape beside doubled quotes',
      'a,b\n"x ""y""\\"",1\nz,2\n',
      { escape: '\\' },
      [
        ['x "y""', '1'],
        ['z', '2'],
      ],
    ],
    [
      'what databases write for a missing value',
      'a,b\n\\N,1\n"\\N",2\n',
      { escape: '\\', missing: [] },
      [
        ['\\N', '1'],
        ['N', '2'],
      ],
    ],
  ])('%s', async (_, text, options, rows) => {
    for (const chunkBytes of [1, 3, 1000]) {
      const read = await readTable(text, { ...options, chunkBytes, header: true });
      expect(read.rows).toEqual(rows);
    }
  });

  it.each<[Opening, string]>([
    [{ skip: -1 }, 'skip -1'],
    [{ skip: 1.5 }, 'skip 1.5'],
    [{ comment: '' }, 'the mark of remarks ""'],
    [{ comment: '"' }, 'the mark of remarks "\\""'],
    [{ quote: '|' as 'none' }, 'the quote "|"'],
    [{ escape: '"' }, 'the escape "\\""'],
    [{ escape: 'ab' }, 'the escape "ab"'],
  ])('%j is refused', async (options, got) => {
    expect(await refusalOf(readTable('a,b\n1,2\n', options))).toMatchObject({ code: 'argument', got });
  });
});
