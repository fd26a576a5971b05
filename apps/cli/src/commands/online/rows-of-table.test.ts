import type { Table } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import { cellsOf, RowsOfTable } from './rows-of-table.js';

const table: Table = {
  variables: [
    { kind: 'categorical', name: 'weather', holes: 2, others: 0, labels: ['sun', 'rain, heavy'], counts: [3, 2] },
    { kind: 'binary', name: 'helmet', holes: 0, labels: ['no', 'yes'], counts: [4, 3] },
  ],
  leftOut: [{ name: 'price', why: 'numbers' }],
  columns: ['weather', 'price', 'helmet'],
  missing: '',
};

const read = (line: string, number = 2): unknown => new RowsOfTable(table).read(line, number);

describe('a line of a stream of categories', () => {
  test.each([
    ['sun,4.5,yes', [0, 1]],
    ['"rain, heavy",4.5,no', [1, 0]],
    ['sun;4,5;yes', [0, 1]],
    ['sun\t4.5\tyes', [0, 1]],
    ['hail,,yes', [2, 1]],
    ['NA,,no', [3, 0]],
    [',,no', [3, 0]],
  ])('%j is a row', (line, values) => {
    expect(read(line)).toEqual({ values: Uint16Array.from(values) });
  });

  test('that is the first may name the columns in another order', () => {
    const rows = new RowsOfTable(table);
    expect(rows.read('helmet,weather,price', 1)).toEqual({ names: ['helmet', 'weather', 'price'] });
    expect(rows.read('yes,sun,4', 2)).toEqual({ values: Uint16Array.of(0, 1) });
    expect(rows.read('', 3)).toBeNull();
  });

  test.each([
    ['sun,4.5', /line 2.*2 cells.*3, as --like/],
    ['sun,4.5,perhaps', /line 2.*"perhaps" as "helmet"/],
    ['sun,4.5,', /line 2.*no value of "helmet"/],
    ['"sun,4.5,no', /line 2.*cells/],
  ])('%j is refused', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});

test.each([
  ['a,"b ""c"", d" ,e', ['a', 'b "c", d', 'e']],
  [' a , b,', ['a', 'b', '']],
  ['"a"x,b', null],
])('the cells of %j', (line, cells) => {
  expect(cellsOf(line, ',')).toEqual(cells);
});
