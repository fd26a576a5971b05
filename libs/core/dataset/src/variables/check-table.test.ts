import type { Table } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import { checkTable } from './check-table.js';
import { codeOffsets } from './codes.js';

/** One variable of each kind, measure and format, and both sorts of what is left out. */
const table: Table = {
  variables: [
    { kind: 'binary', name: 'smoker', holes: 0, labels: ['no', 'yes'], counts: [5, 3] },
    { kind: 'categorical', name: 'city', holes: 2, labels: ['Kiel', 'Lund', ''], counts: [3, 2, 1], others: 1 },
    {
      kind: 'ordered',
      name: 'children',
      holes: 1,
      format: { type: 'number', decimals: 2, places: 1, padded: true },
      measure: 'mass',
      edges: [0.5, 1.5],
      values: [0, 1, 2.5],
      counts: [4, 2, 1],
      tails: null,
      range: [0, 2.5],
      cuts: [1, 2],
    },
    {
      kind: 'ordered',
      name: 'height',
      holes: 0,
      format: { type: 'number', decimals: 20, places: 20, padded: false },
      measure: 'density',
      edges: [1.5, 1.75, 1.76],
      values: [null, null, 1.755, null],
      counts: [2, 2, 3, 1],
      tails: [0.1, 0.2],
      range: [1.4, 2],
      cuts: [1, 3],
    },
    {
      kind: 'ordered',
      name: 'seen',
      holes: 0,
      format: { type: 'date', time: { separator: 'T', seconds: true, digits: 3, zone: '+01:00' } },
      measure: 'density',
      edges: [10],
      values: [null, null],
      counts: [4, 4],
      tails: [3, 4],
      range: [0, 20],
      cuts: [1],
    },
    {
      kind: 'ordered',
      name: 'born',
      holes: 0,
      format: { type: 'date', time: null },
      measure: 'mass',
      edges: [],
      values: [7],
      counts: [8],
      tails: null,
      range: [7, 7],
      cuts: [],
    },
    {
      kind: 'ordered',
      name: 'left',
      holes: 0,
      format: { type: 'time', seconds: true, digits: 2 },
      measure: 'density',
      edges: [10],
      values: [null, null],
      counts: [4, 4],
      tails: [3, 4],
      range: [0, 20],
      cuts: [1],
    },
  ],
  leftOut: [
    { name: 'n', why: 'it counts the rows', countsFrom: 0 },
    { name: 'note', why: 'free text' },
  ],
  columns: ['n', 'smoker', 'city', 'children', 'height', 'note', 'seen', 'born', 'left'],
  missing: 'NA',
};
const whole = { table, tailNats: [0, 0, 0, -1.5, -2.5, 0, -2.5] };
const bits = codeOffsets(table).at(-1)!;

type Path = readonly (string | number)[];
type Mutable = Record<string | number, unknown>;

const placeOf = (root: unknown, path: Path): Mutable =>
  path.slice(0, -1).reduce((at, key) => (at as Mutable)[key], root) as Mutable;

/** The same with one field replaced; undefined takes it away. */
function damaged(path: Path, value: unknown): unknown {
  const copy = structuredClone(whole) as unknown;
  const place = placeOf(copy, path);
  if (value === undefined && Array.isArray(place)) place.splice(Number(path.at(-1)), 1);
  else if (value === undefined) Reflect.deleteProperty(place, path.at(-1)!);
  else place[path.at(-1)!] = value;
  return copy;
}

/** The places of all fields, at every depth. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[...path, key], ...pathsIn((value as Mutable)[key], [...path, key])]);
}

const fields = pathsIn(whole).map((path): [string, Path] => [path.join('.'), path]);
const variable = (index: number, ...rest: Path): Path => ['table', 'variables', index, ...rest];

test('a table that holds is given back as it is, its fields in their order', () => {
  const shuffled = JSON.parse(
    JSON.stringify(whole, (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ),
  ) as unknown;
  expect(JSON.stringify(shuffled)).not.toBe(JSON.stringify(whole));
  expect(JSON.stringify(checkTable(shuffled, bits))).toBe(JSON.stringify(whole));
});

test('fields that nobody knows are not handed on', () => {
  expect(checkTable(damaged(variable(0, 'x'), 1), bits)).toEqual(whole);
  expect(checkTable(damaged(['x'], 1), bits)).toEqual(whole);
});

describe.each(fields)('the field %s', (name, path) => {
  const own = placeOf(whole, path)[path.at(-1)!];
  const others: readonly unknown[] = [undefined, null, true, 'x', -1, 0.5, NaN, Infinity, [], {}, '\ud800'];
  /** Values that such a field may have. */
  const isRight = (value: unknown): boolean => {
    const is = (pattern: RegExp): boolean => pattern.test(name);
    const isFinite = typeof value === 'number' && Number.isFinite(value);
    if (is(/labels|why|missing/)) return value === 'x';
    if (is(/padded|seconds/)) return value === true;
    if (is(/countsFrom/)) return value === undefined || value === -1;
    if (is(/tailNats\.|range\./)) return isFinite;
    if (is(/tails\./)) return value === 0.5;
    if (is(/cuts$/)) return JSON.stringify(value) === '[]';
    if (is(/cuts\./)) return value === undefined;
    // the first edges have no value below them, and cells of densities no value of their own
    if (is(/[346]\.edges\.0/)) return isFinite;
    if (is(/3\.values\.2|format\.time$/)) return value === null;
    return is(/2\.values\.1/) && value === 0.5;
  };

  test('is refused where it is of another kind', () => {
    for (const value of others) {
      if (isRight(value) || JSON.stringify(value) === JSON.stringify(own)) continue;
      expect(() => checkTable(damaged(path, value), bits), `${name} = ${JSON.stringify(value)}`).toThrow(TypeError);
    }
  });
});

const wrong: Readonly<Record<string, readonly [Path, unknown, RegExp]>> = {
  'a variable without a name': [variable(0, 'name'), '', /a name for every variable/],
  'a variable of an unknown kind': [variable(0, 'kind'), 'ordinal', /"smoker", kind/],
  'a negative number of holes': [variable(1, 'holes'), -1, /"city", missing values/],
  'one label of two': [variable(0, 'labels'), ['no'], /labels/],
  'three labels of two': [variable(1, 'kind'), 'binary', /two labels/],
  'a label twice': [variable(1, 'labels'), ['Kiel', 'Kiel', ''], /distinct labels/],
  'fewer counts than labels': [variable(1, 'counts'), [3, 2], /counts/],
  'edges that do not ascend': [variable(3, 'edges'), [1.5, 1.5, 1.76], /ascending edges/],
  'one edge too few': [variable(3, 'edges'), [1.5, 1.75], /ascending edges/],
  'one count too many': [variable(3, 'counts'), [1, 1, 1, 1, 1], /a count a cell/],
  'a value below its cell': [variable(3, 'values'), [null, null, 1.7, null], /"height", a value within its cell/],
  'a value at the end of its cell': [variable(3, 'values'), [null, null, 1.76, null], /a value within its cell/],
  'a mass in the cell of another': [variable(2, 'values'), [0, 2, 2.5], /"children", a value within its cell/],
  'a mass twice': [variable(2, 'values'), [0, 0, 2.5], /a value within its cell/],
  'masses that do not ascend': [variable(2, 'values'), [2.5, 1, 0], /a value within its cell/],
  'a mass without a value': [variable(2, 'values'), [0, null, 2.5], /a value a cell/],
  'masses with tails': [variable(2, 'tails'), [1, 1], /a value a cell/],
  'a density without tails': [variable(3, 'tails'), null, /tails/],
  'one tail': [variable(3, 'tails'), [1], /two tails/],
  'a tail of scale 0': [variable(3, 'tails'), [0, 1], /tails/],
  'an outermost cell with a value': [variable(3, 'values'), [1, null, 1.755, null], /tails/],
  'a cut at 0': [variable(3, 'cuts'), [0, 3], /ascending cuts/],
  'a cut behind the last cell': [variable(3, 'cuts'), [1, 4], /ascending cuts/],
  'a cut twice': [variable(3, 'cuts'), [1, 1], /ascending cuts/],
  'a range turned round': [variable(3, 'range'), [2, 1.4], /range/],
  'a range of one number': [variable(3, 'range'), [2], /range/],
  'masses beyond their range': [variable(2, 'range'), [0, 2], /"children", range/],
  'more decimals than are written': [variable(3, 'format', 'decimals'), 21, /format/],
  'more places than decimals': [variable(2, 'format', 'places'), 3, /format/],
  'seven digits of a second': [variable(4, 'format', 'time', 'digits'), 7, /digits/],
  'digits of seconds that are not written': [variable(4, 'format', 'time', 'seconds'), false, /digits/],
  'a clock of another word': [variable(4, 'format', 'time', 'clock'), { padded: true, morning: 'vorm.' }, /clock/],
  'a zone that is none': [variable(4, 'format', 'time', 'zone'), 'CET', /zone/],
  'seven digits of a time of day': [variable(6, 'format', 'digits'), 7, /"left", digits/],
  'digits of seconds that a time of day has not': [variable(6, 'format', 'seconds'), false, /"left", digits/],
  'a format that later releases may have': [variable(6, 'format', 'type'), 'interval', /"left", format/],
  'no variables': [['table', 'variables'], [], /at least one variable/],
  'a variable twice': [variable(1, 'name'), 'smoker', /one name a column/],
  'a variable that is left out as well': [['table', 'leftOut', 0, 'name'], 'smoker', /one name a column/],
  'a column twice': [['table', 'columns', 0], 'note', /one name a column/],
  'a column that is neither learnt nor left out': [['table', 'columns', 0], 'm', /the column "n"/],
  'a column too many': [['table', 'columns', 9], 'm', /one name a column/],
  'a sum of tails too few': [['tailNats'], [0, 0, 0, -1, -2, 0], /tailNats/],
};

test.each(Object.entries(wrong))('%s is refused by name', (_, [path, value, message]) => {
  expect(() => checkTable(damaged(path, value), bits)).toThrow(message);
});

test('variables of more or fewer bits than the rows have are refused', () => {
  expect(() => checkTable(whole, bits + 1)).toThrow(`variables of ${String(bits)} bits, not ${String(bits + 1)}`);
});

test.each([undefined, null, 'x', 5, []])('%j is no table', (value) => {
  expect(() => checkTable(value, bits)).toThrow(TypeError);
});
