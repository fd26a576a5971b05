import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../bit-files/reading.suite.js';
import { readTable } from '../opening.suite.js';

/** Names, and how many rows there are. */
async function headOf(text: string, options = {}): Promise<[readonly string[], number]> {
  const { columns, rows } = await readTable(text, options);
  return [columns, rows.length];
}
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `column ${i + 1}`);

describe('line 1 is told to hold', () => {
  it.each<[string, string, readonly string[]]>([
    ['names over numbers', 'age,height\n31,1.8\n', ['age', 'height']],
    ['names over dates', 'when,what\n2026-01-31,a\n2026-02-01,b\n', ['when', 'what']],
    ['names over times of day', 'leaves,what\n08:12,a\n23:59:01.5,b\n', ['leaves', 'what']],
    ['times of day over numbers, a timetable', 'stop,08:00,09:00\nKiel,3,4\nLund,5,6\n', ['stop', '08:00', '09:00']],
    ['dates over numbers', 'site,2024-01-01,2024-02-01\nKiel,4,5\nLund,5,6\n', ['site', '2024-01-01', '2024-02-01']],
    ['answers over numbers', 'town,yes,no\nKiel,4,5\nLund,5,6\n', ['town', 'yes', 'no']],
    ['names over yes and no', 'smoker,city\nyes,Kiel\nno,Lund\n', ['smoker', 'city']],
    ['names over holes and numbers', 'a,b\nNA,x\n3,y\n', ['a', 'b']],
    ['a name for all but the index', ',age\n1,31\n2,35\n', ['Unnamed: 0', 'age']],
  ])('plain: %s', async (_, text, names) => {
    const read = await readTable(text);
    expect(read.columns).toEqual(names);
    expect(read.hasHeader).toBe(true);
    expect(read.notes.join(' ')).not.toContain('Line 1');
  });

  it.each([
    ['words over words that do not come again', 'cut,color\nIdeal,E\nPremium,E\n', ['cut', 'color']],
    ['the numbers of columns', '0,1,2\n5,7,9\n', ['0', '1', '2']],
    ['the numbers of columns behind an index', ',0,1,2\n0,5,7,9\n', ['Unnamed: 0', '0', '1', '2']],
    ['years beside a word', 'country,1999,2000,2001\nNorway,4,5,6\n', ['country', '1999', '2000', '2001']],
    ['a name twice', 'age,age\n31,1\n35,2\n', ['age', 'age.1']],
    [
      'years with gaps beside a word',
      'country,2000,2005,2010\nNorway,4.5,.6,6\nChile,1,2,3\n',
      ['country', '2000', '2005', '2010'],
    ],
    ['years that fall', 'museum,2012,2011\nM0,86,49\nM1,32,61\n', ['museum', '2012', '2011']],
    ['one year', 'region,2024\nKiel,5\nLund,7\n', ['region', '2024']],
    ['years over words', 'region,2024\nKiel,low\nLund,high\n', ['region', '2024']],
    ['years alone', '2012,2011\n86,49\n32,61\n', ['2012', '2011']],
    ['years behind an index', ',2000,2005\n0,4.5,6\n1,5.5,7\n', ['Unnamed: 0', '2000', '2005']],
    [
      'depths far from what was measured there',
      'site,100,250\na,1.5,2\nb,1.25,2.5\nc,1.75,3\n',
      ['site', '100', '250'],
    ],
    ['dates over words', 'task,2024-01-01\nwash,Ann\ncook,Ray\n', ['task', '2024-01-01']],
  ])('guessed: %s', async (_, text, names) => {
    const read = await readTable(text);
    expect(read.columns).toEqual(names);
    expect(read.hasHeader).toBe(true);
    expect(read.notes.join(' ')).toContain('Line 1 is taken for the names of the columns');
  });

  it.each([
    ['one cell over words alone', 'My data,,\nshop,city,size\na,Kiel,big\nb,Lund,big\n', 'one cell alone, "My data"'],
    ['one cell over years', 'Units,,\n2019,2020,2021\n3,4,5\n4,7,5\n', 'one cell alone, "Units"'],
    ['one cell over names and units', 'Sales,,\nshop,size,sum\n,kg,EUR\na,1,2\n', 'one cell alone, "Sales"'],
    [
      'several cells over names',
      'Sales,as of,May\nshop,size,sum\na,1,2\nb,2,9\n',
      'seem names too: "shop", "size", "sum"',
    ],
  ])('that may be a title gets the way to pass over it: %s', async (_, text, note) => {
    const { notes } = await readTable(text, { wordFor: (option) => option });
    expect(notes.join(' ')).toContain(note);
    expect(notes.join(' ')).toContain('if it is a title above the names, skip it (skip)');
  });

  it.each([
    ['pandas index', ',city\na,Kiel\nb,Lund\n'],
    ['names over words', 'shop,city\na,Kiel\nb,Lund\n'],
  ])('that are no title get no such note: %s', async (_, text) => {
    expect((await readTable(text)).notes.join(' ')).not.toContain('title');
  });

  it.each([
    ['numbers', '1,0\n0,1\n', 2],
    ['numbers that do not count', '5,6,8\n1,2,3\n', 3],
    ['words that come again in their column', 'p,x,s\ne,x,y\np,b,s\n', 3],
    ['a word twice that comes again', 'yellow,yellow\nred,blue\nyellow,red\n', 2],
    ['numbers with thousands over such', '"100,000.00",Kiel\n"200,000.00",Lund\n', 2],
    ['dates over dates', '2024-01-31,Kiel\n2024-02-29,Lund\n', 2],
    ['years among years', 'Kiel,2024\nLund,2023\nBonn,2024\n', 2],
    ['falling numbers in the range of their columns', '9,5\n1,6\n10,2\n', 2],
    ['yes and no', 'yes,no,Kiel\nno,no,Lund\n', 3],
    ['words and numbers', 'Kiel,5\nLund,7\n', 2],
    ['words and times of day', 'Kiel,08:12\nLund,09:30\n', 2],
    ['words and holes', 'Kiel,NA\nLund,x\n', 2],
  ])('values: %s', async (_, text, width) => {
    const read = await readTable(text);
    expect(read.columns).toEqual(numbered(width));
    expect(read.hasHeader).toBe(false);
    expect(read.notes.join(' ')).toContain('Line 1 is taken for values');
    expect(read.rows.length).toBe(text.trim().split('\n').length);
  });

  it.each([
    ['a word twice over words', 'yellow,yellow\nred,blue\n'],
    ['years over columns that have some', 'country,2000,2005\nNorway,1999,4\nChile,5,2005\n'],
    ['a year over numbers of its range', 'shop,2024\na,1800\nb,2600\n'],
    ['a number with thousands over words', 'city,"100,000.00"\nKiel,low\nLund,high\n'],
    ['rising numbers far from all below', '400,410,420\n.1,.2,.3\n.2,.1,.4\n.3,.2,.5\n'],
  ])('either, and refused: %s', async (_, text) => {
    expect(await refusalOf(readTable(text))).toMatchObject({ code: 'header', where: 'x.csv, line 1' });
  });

  it('neither where it could be both, until it is said', async () => {
    const text = 'unknown,7\n3,9\n4,8\n';
    expect(await refusalOf(readTable(text, { wordFor: () => '--header' }))).toMatchObject({
      code: 'header',
      got: 'the cells "unknown", "7"',
      where: 'x.csv, line 1',
      remedy: 'Say whether line 1 holds names (--header).',
    });
    expect(await headOf(text, { header: true })).toEqual([['unknown', '7'], 2]);
    expect(await headOf(text, { header: false })).toEqual([numbered(2), 3]);
  });
});

it('line 1 holds names where it has all that a model learned, whatever is below it', async () => {
  const text = 'yn,01\ny,1\nyn,0\n';
  expect(await headOf(text)).toEqual([numbered(2), 3]);
  expect(await headOf(text, { learnedNames: ['01', 'yn'] })).toEqual([['yn', '01'], 2]);
  expect(await headOf(text, { learnedNames: ['yn'] })).toEqual([['yn', '01'], 2]);
  expect(await headOf(text, { learnedNames: ['yn', 'other'] })).toEqual([numbered(2), 3]);
  expect(await headOf(text, { learnedNames: ['01', 'yn'], header: false })).toEqual([numbered(2), 3]);
});

describe('names', () => {
  it('are made distinct as pandas does, and it is said', async () => {
    const read = await readTable('a,a,,a.1,a\n1,2,3,4,5\n');
    expect(read.columns).toEqual(['a', 'a.2', 'Unnamed: 2', 'a.1', 'a.3']);
    expect(read.notes).toContain('Columns without a name are called "Unnamed: 2".');
    expect(read.notes).toContain('Names that were there before are numbered: "a.2", "a.3".');
  });

  it('may lack one, as R writes tables with row names', async () => {
    const read = await readTable('"speed" "dist"\n"1" 4 2\n"2" 7 4\n', { name: 'cars.txt' });
    expect(read.columns).toEqual(['Unnamed: 0', 'speed', 'dist']);
    expect(read.rows).toEqual([
      ['1', '4', '2'],
      ['2', '7', '4'],
    ]);
    expect(read.notes.join(' ')).toContain('the first column is taken for row names');
  });

  it.each([
    [
      'a remark',
      '# exported 2024-01-01\nshop,units\nb,3\na,2\na,4\n',
      '"# exported 2024-01-01"',
      'Skip the first line (skip), or pass over all lines that begin with "#" (comment).',
    ],
    ['a remark over distinct days', '# by day\nday,units\n2024-01-01,3\n2024-01-02,2\n', '"# by day"', '(comment)'],
    [
      'a title',
      'Sales of 2024\nday,units\n2024-01-01,3\n2024-01-02,2\n',
      '"Sales of 2024"',
      'Skip the first line (skip).',
    ],
    [
      'a title with a delimiter',
      'Sales, by day\nday,shop,units\n2024-01-01,a,3\n2024-01-02,b,2\n',
      '"Sales by day"',
      'or say that line 1 holds names, where the first column has row names (header)',
    ],
    [
      'a title over empty cells',
      'Sales,,\nday,shop,units\n2024-01-01,a,3\n2024-01-02,b,2\n',
      '"Sales"',
      'Skip the first line (skip)',
    ],
    [
      'several lines',
      '# exported\n# unit: kWh\n\nshop,units,price\nb,1,65\na,5,72\n',
      '2 lines above the table',
      'Skip the first 3 lines (skip), or pass over all lines that begin with "#" (comment).',
    ],
    [
      'titles of a spreadsheet',
      'Sales;;\n;;\nday;shop;units\n2024-01-01;a;3\n',
      '2 lines above the table',
      'Skip the first 2 lines (skip)',
    ],
  ])('are not looked for below %s: it is refused with the way to pass over it', async (_, text, got, remedy) => {
    const error = await refusalOf(readTable(text, { wordFor: (option) => option }));
    expect(error).toMatchObject({ code: 'header', where: 'x.csv, line 1' });
    expect(error.got).toContain(got);
    expect(error.remedy).toContain(remedy);
  });

  it('may lack one where row names are distinct words', async () => {
    const text = '"mpg" "cyl"\n"Mazda RX4" 21 6\n"Datsun 710" 22.8 4\n';
    expect((await readTable(text, { name: 'cars.txt' })).columns).toEqual(['Unnamed: 0', 'mpg', 'cyl']);
    const again = text.replace('Datsun 710', 'Mazda RX4');
    expect(await refusalOf(readTable(again, { name: 'cars.txt' }))).toMatchObject({ code: 'header' });
    expect((await readTable(again, { name: 'cars.txt', header: true })).columns).toEqual(['Unnamed: 0', 'mpg', 'cyl']);
  });

  it.each([
    ['words', 'shop,city\na,Kiel\n', ['b', 'Lund']],
    ['words and numbers', 'shop,units\na,4\n', ['b', '5']],
    ['one less than cells, as R writes them', 'units,price\nx,4,5\n', ['y', '5', '6']],
  ])('that come again, where files of %s were put together, are no row, and it is said', async (_, text, last) => {
    const names = text.split('\n')[0]!;
    const joined = `${text}\ufeff${names}\n${last.join(',')}\n${names
      .split(',')
      .map((name) => `"${name}"`)
      .join(', ')}`;
    for (const chunkBytes of [1, 1000]) {
      const { rows, notes } = await readTable(joined, { chunkBytes });
      expect(rows).toEqual([text.split('\n')[1]!.split(','), last]);
      expect(notes).toContain('Lines 3, 5, which repeat the names of line 1, are passed over.');
    }
  });

  it('are rows where they are numbers or one word alone', async () => {
    expect((await readTable('0,1,2\n5,7,9\n0,1,2\n')).rows).toHaveLength(2);
    expect((await readTable('city\nKiel\nLund\ncity\n', { header: true })).rows).toHaveLength(3);
  });

  it('may be given for a file without', async () => {
    expect(await headOf('1,2\n3,4\n', { names: ['a', 'b'] })).toEqual([['a', 'b'], 2]);
    expect(await headOf('a,b\n3,4\n', { names: ['a', 'b'] })).toEqual([['a', 'b'], 1]);
    expect(await headOf('a,b\n3,4\n', { names: ['c', 'd'], header: true })).toEqual([['c', 'd'], 1]);
    expect(await headOf('a,b\n3,4\n', { names: ['c', 'd'], header: false })).toEqual([['c', 'd'], 2]);
  });

  it('are not given where line 1 seems to hold others', async () => {
    expect(await refusalOf(readTable('a,b\n3,4\n', { names: ['c', 'd'] }))).toMatchObject({
      code: 'header',
      got: 'names for the columns, and a line 1 that seems to hold names ("a", "b")',
    });
  });

  it('are one a column', async () => {
    expect(await refusalOf(readTable('1,2\n', { names: ['a'] }))).toMatchObject({
      code: 'column',
      got: '1 names ("a")',
      expected: '2, one for each column of the file',
      where: 'x.csv',
    });
  });
});
