import type { Table, Variable } from '@orchard/contracts';
import { DatasetError } from '@orchard/dataset';
import { expect, it } from 'vitest';
import { restrictionsOf, type Given } from './given.js';

const number = { type: 'number', decimals: 0, places: 0, padded: true } as const;
const variables: Variable[] = [
  { kind: 'binary', name: 'smoker', holes: 0, labels: ['no', 'yes'], counts: [5, 5] },
  { kind: 'categorical', name: '__proto__', holes: 2, labels: ['a', 'b'], counts: [4, 4], others: 0 },
  {
    kind: 'ordered',
    name: 'age',
    holes: 0,
    format: number,
    measure: 'mass',
    edges: [30, 31],
    values: [20, 30, 40],
    counts: [3, 3, 4],
    range: [20, 40],
    cuts: [1, 2],
    tails: [1, 1],
  } as unknown as Variable,
  {
    kind: 'ordered',
    name: 'departure',
    holes: 0,
    format: { type: 'time', seconds: false, digits: 0 },
    measure: 'mass',
    edges: [30_600, 34_200],
    values: [28_800, 32_400, 36_000],
    counts: [3, 3, 4],
    range: [28_800, 36_000],
    cuts: [1, 2],
    tails: null,
  },
  {
    kind: 'ordered',
    name: 'battery',
    holes: 0,
    format: number,
    measure: 'density',
    edges: [20, 60],
    values: [null, null, null],
    counts: [30, 30, 40],
    range: [5, 100],
    cuts: [1, 2],
    tails: [5, 20],
  },
];
const table: Table = { variables, leftOut: [], columns: variables.map(({ name }) => name), missing: '' };

function allowed(name: string, ...given: Given[]): number[] {
  const [[, { weights }] = [0, { weights: [] }]] = restrictionsOf(table, [[name, given]]);
  return Array.from(weights as Float64Array);
}

it('a label, one of several, an absent value, a number and a range allow their codes', () => {
  expect(allowed('smoker', 'yes')).toEqual([0, 1]);
  expect(allowed('__proto__', 'a')).toEqual([1, 0, 0, 0]);
  expect(allowed('__proto__', 'a', 'b')).toEqual([1, 1, 0, 0]);
  expect(allowed('__proto__', null)).toEqual([0, 0, 0, 1]);
  expect(allowed('age', 30)).toEqual([0, 1, 0, 0]);
  expect(allowed('age', ' 40 ')).toEqual([0, 0, 1, 0]);
  expect(allowed('age', { from: 30 })).toEqual([0, 1, 1, 0]);
  expect(allowed('age', { to: '30' }, 40)).toEqual([1, 1, 1, 0]);
  expect(allowed('departure', { from: '08:00', to: '09:30' })).toEqual([1, 1, 0, 0]);
  expect(allowed('departure', '10:00')).toEqual([0, 0, 1, 0]);
  // as far as training had values
  expect(allowed('battery', { from: 90, to: 600 })[2]).toBeGreaterThan(0);
});

it.each<[string, string, Given, string]>([
  ['a column that is none', 'smokers', 'yes', 'Did you mean "smoker"?'],
  ['a label that is none', 'smoker', 'maybe', 'got "maybe" for smoker, expected a value that training had'],
  ['a range of labels', 'smoker', { from: 'a' }, 'labels, of which there are no ranges'],
  ['absence where none was', 'smoker', null, 'training had no missing values there'],
  ['a word for a number', 'age', 'old', 'got "old" for age, expected a number'],
  [
    'a time without its zero',
    'departure',
    { from: '8:00' },
    'expected a time of day, as the training rows write it: hh:mm',
  ],
  [
    'a range over midnight',
    'departure',
    { from: '22:00', to: '02:00' },
    'Over midnight give two ranges, one from 22:00 on and one up to 02:00 (22:00..|..02:00).',
  ],
  ['a number that no row has', 'age', 35, 'got "35" for age, expected values that it can have'],
  [
    'and is told what there is',
    'age',
    35,
    'Give a value that training had, or a wider range. Training had values from 20 to 40.',
  ],
  ['a word for a time', 'departure', 'noon', 'Write it as the training file does: from 08:00 to 10:00.'],
  ['a range as the command line takes it', 'age', '60..', 'In JSON a range is {"from": …, "to": …}'],
  // a density has tails without an end, in which nothing was ever seen
  [
    'a range of measurements beyond all that training had',
    'battery',
    { from: 500, to: 600 },
    'got a range from 500 to 600 for battery, expected values that it can have',
  ],
  ['and is told what there is', 'battery', { to: -1 }, 'Training had values from 5 to 100.'],
  ['a measurement beyond all that training had', 'battery', 501, 'Training had values from 5 to 100.'],
  ['a range without values', 'age', { from: 60, to: 50 }, 'a range from 60 to 50 for age'],
])('%s is refused', (_what, name, given, said) => {
  expect(() => restrictionsOf(table, [[name, [given]]])).toThrow(DatasetError);
  expect(() => restrictionsOf(table, [[name, [given]]])).toThrow(said);
});
