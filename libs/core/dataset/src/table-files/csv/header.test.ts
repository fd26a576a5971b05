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
  ])('guessed: %s', async (_, text, names) => {
    const read = await readTable(text);
    expect(read.columns).toEqual(names);
    expect(read.hasHeader).toBe(true);
    expect(read.notes.join(' ')).toContain('Line 1 is taken for the names of the columns');
  });

  it.each([
    ['numbers', '1,0\n0,1\n', 2],
    ['numbers that do not count', '5,6,8\n1,2,3\n', 3],
    ['words that come again in their column', 'p,x,s\ne,x,y\np,b,s\n', 3],
    ['the same word twice', 'yellow,yellow\nred,blue\n', 2],
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
