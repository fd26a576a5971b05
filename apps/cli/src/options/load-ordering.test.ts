import { expect, test } from 'vitest';
import { loadOrdering } from './load-ordering.js';

const names = ['price', 'region', 'type', 'sold'];

test('columns that are to be first come before the others, in the order in which they are said', async () => {
  expect(await loadOrdering('first:type,region', 4, names)).toEqual([2, 1, 0, 3]);
  expect(await loadOrdering('first:sold, sold', 4, names)).toEqual([3, 0, 1, 2]);
  expect(await loadOrdering('first:3', 4, null)).toEqual([2, 0, 1, 3]);
  expect(await loadOrdering('first:"sold, net",b', 3, ['a', 'b', 'sold, net'])).toEqual([2, 1, 0]);
});

test('a first column that is not there is refused, with one that is meant', async () => {
  await expect(loadOrdering('first:regions', 4, names)).rejects.toThrow('Did you mean "region"?');
  await expect(loadOrdering('first:', 4, names)).rejects.toThrow('got the column ""');
});
