import { expect, test } from 'vitest';
import { binary, categorical, ordered } from '../variables/small-tables.suite.js';
import { expectedWords } from './expected-words.js';

test('of labels the likeliest is expected, absence with them', () => {
  expect(expectedWords(categorical('c', 3), Float64Array.of(0.2, 0.7, 0.1, 0))).toBe('c1 (70 %)');
  expect(expectedWords(binary('b', 1), Float64Array.of(0.2, 0.2, 0.6))).toBe('absent (60 %)');
});

test('of numbers the middle 80 % are expected, and absence where it is likelier than any value', () => {
  const variable = ordered('n', 5, 'density', 1);
  const present = Float64Array.of(0.05, 0.3, 0.3, 0.3, 0.05, 0);
  expect(expectedWords(variable, present)).toBe('1 … 4');
  // likelier than each cell, and less likely than all
  expect(expectedWords(variable, Float64Array.of(0.1, 0.1, 0.2, 0.1, 0.1, 0.4))).toBe('below 1 … above 4');
  expect(expectedWords(variable, Float64Array.of(0, 0.2, 0, 0.2, 0, 0.6))).toBe('absent (60 %)');
  expect(expectedWords(variable, Float64Array.of(0, 0, 1, 0, 0, 0))).toBe('2 to 3');
});
