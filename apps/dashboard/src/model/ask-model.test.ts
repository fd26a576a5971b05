import type { DatasetFacts } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import { cellsOf, delimiterOf, pastedRows } from './ask-model.js';

const bits = { names: ['a', 'b', 'c'], dimensions: 3 } as unknown as DatasetFacts;
const table = {
  names: null,
  dimensions: 9,
  table: {
    columns: ['index', 'bike', 'zip', 'hours', 'date'],
    variables: [
      { name: 'bike', kind: 'categorical' },
      { name: 'zip', kind: 'categorical' },
      { name: 'hours', kind: 'ordered' },
      { name: 'date', kind: 'ordered' },
    ],
  },
} as unknown as DatasetFacts;

describe('rows that somebody pasted', () => {
  test('are told by their header, or come in stored order', () => {
    const row = { hours: 3, bike: 'e-bike', zip: '01069', date: '2024-03-01' };
    expect(pastedRows('hours,bike,zip,date\n3,e-bike,01069,2024-03-01\n', table)).toEqual([row]);
    expect(pastedRows('e-bike;01069;3;2024-03-01\r\n', table)).toEqual([row]);
  });

  test('may have columns that the model leaves out', () => {
    const row = { index: '7', hours: 3, bike: 'e-bike', zip: '01069', date: '2024-03-01' };
    expect(pastedRows('index,hours,bike,zip,date\n7,3,e-bike,01069,2024-03-01\n', table)).toEqual([row]);
  });

  test('have no header where columns have no names', () => {
    const nameless = { names: null, dimensions: 2 } as unknown as DatasetFacts;
    expect(pastedRows('0,1\n1,1', nameless)).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  test('have holes where a cell is empty or ?', () => {
    expect(pastedRows('?,,2.5,2024-03-01', table)).toEqual([{ bike: null, zip: null, hours: 2.5, date: '2024-03-01' }]);
  });

  test('of bits are numbers, in stored order', () => {
    expect(pastedRows('c,a,b\n1,0,0', bits)).toEqual([[0, 0, 1]]);
    expect(pastedRows('?,,1', bits)).toEqual([[null, null, 1]]);
    expect(() => pastedRows('0,1,2', bits)).toThrow('The cell of c is "2", expected 0 or 1, or ? where it is unknown.');
    expect(() => pastedRows('0,1,?', bits, false)).toThrow('The cell of c is "?", expected 0 or 1.');
  });

  test.each([
    ['', 'Nothing was pasted'],
    ['bike,zip,hours,date', 'Only a header was pasted'],
    [
      'bike,zip,hours,data\ne-bike,1,2,3',
      'The column "data" is none that the model was trained beside: expected index, bike',
    ],
    ['e-bike,1', 'A row of 2 cells was pasted, expected 4: one for each of bike, zip, hours, date.'],
  ])('%j is refused in a sentence', (text, sentence) => {
    expect(() => pastedRows(text, table)).toThrow(sentence);
  });
});

test('quotes are those of spreadsheets', () => {
  expect(cellsOf('"a, ""b""",c,', ',')).toEqual(['a, "b"', 'c', '']);
});

describe('what stands between cells', () => {
  test.each([
    // of each line alone a comma would be taken, and the cells would be as many
    [['a;b;c', '1,5;2,5;3', '1;2,5;3,5'], 3, ';'],
    [['1,5;2,5;3'], 3, ';'],
    [['a,b,c', 'x;y,2,3'], 3, ','],
    [['a,b,c', 'x;y,2,3', 'z;w,2,3'], 3, ','],
    [['a\tb', '1,5\t2;3'], 2, '\t'],
    // columns that the model leaves out
    [['index;a;b;c', '7;1,5;2,5;3'], 3, ';'],
    [['"a;b",c', '"1;2",3'], 2, ','],
    [['1,2', '1,2,3'], 2, ','],
    [['a', 'b'], 1, ','],
  ])('of %j, of %d columns, is %j', (lines, columns, delimiter) => {
    expect(delimiterOf(lines, columns)).toBe(delimiter);
  });

  test('commas of numbers are part of them', () => {
    const row = { bike: 'e-bike', zip: '01069', hours: '2,5', date: '2024-03-01' };
    expect(pastedRows('bike;zip;hours;date\ne-bike;01069;2,5;2024-03-01\n', table)).toEqual([row]);
  });
});
