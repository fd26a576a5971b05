import type { Table, Variable } from '@orchard/contracts';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { BitMatrix } from '../rows/bit-matrix.js';
import { codeCount, codeOffsets, writeCode } from '../variables/codes.js';
import { evenCuts } from './even-cuts.js';
import { withTellingCuts } from './telling-cuts.js';

const DAYS = 245;
const CUTS = 20;

const days = (name: string): Variable => ({
  kind: 'ordered',
  name,
  holes: 0,
  format: { type: 'number', decimals: 0, places: 0, padded: true },
  measure: 'mass',
  edges: Array.from({ length: DAYS - 1 }, (_, edge) => edge + 0.5),
  values: Array.from({ length: DAYS }, (_, day) => day),
  counts: Array.from({ length: DAYS }, () => 10),
  tails: null,
  range: [0, DAYS - 1],
  cuts: evenCuts(
    Array.from({ length: DAYS }, () => 10),
    CUTS,
  ),
});

const season = (holes = 0): Variable => ({
  ...{
    kind: 'categorical',
    name: 'season',
    holes,
    labels: ['spring', 'summer', 'autumn'],
    counts: [9, 9, 9],
    others: 0,
  },
});

function tableOf(variables: readonly Variable[], row: (stream: RandomStream) => number[]): [Table, BitMatrix] {
  const table: Table = { variables, leftOut: [], columns: variables.map(({ name }) => name), missing: '' };
  const offsets = codeOffsets(table);
  const matrix = BitMatrix.create(2000, offsets.at(-1)!);
  const stream = new RandomStream(1, 1007);
  for (let at = 0; at < matrix.rows; at++)
    row(stream).forEach((code, index) => writeCode(matrix, at, offsets[index]!, offsets[index + 1]!, code));
  return [table, matrix];
}

const seasonOf = (day: number): number => (day < 91 ? 0 : day < 183 ? 1 : 2);
const cutsOf = ({ variables }: Table): readonly number[] =>
  variables.flatMap((variable, index) => (index === 0 && variable.kind === 'ordered' ? variable.cuts : []));

test('there is a cut more where another variable changes', () => {
  const [table, rows] = tableOf([days('day'), season()], (stream) => {
    const day = stream.below(DAYS);
    return [day, seasonOf(day)];
  });
  expect(cutsOf(table)).not.toContain(91);
  const cuts = cutsOf(withTellingCuts(table, rows));
  expect(cuts).toEqual([...cutsOf(table), 91, 183].sort((a, b) => a - b));
  expect(withTellingCuts(table, rows).variables[1]).toBe(table.variables[1]);
});

test('so they do where it changes between numbers, or is not there', () => {
  const other = days('other');
  const [table, rows] = tableOf([days('day'), other, season(3)], (stream) => {
    const day = stream.below(DAYS);
    return [day, day < 100 ? stream.below(80) : 80 + stream.below(80), day < 200 ? stream.below(3) : 3];
  });
  expect(codeCount(season(3))).toBe(5);
  const cuts = cutsOf(withTellingCuts(table, rows));
  expect(cuts).toContain(100);
  expect(cuts).toContain(200);
});

test('chance makes no cut, and what changes everywhere no more than a quarter', () => {
  const [table, rows] = tableOf([days('day'), season()], (stream) => [stream.below(DAYS), stream.below(3)]);
  expect(withTellingCuts(table, rows)).toEqual(table);
  const [striped, stripes] = tableOf([days('day'), season()], (stream) => {
    const day = stream.below(DAYS);
    return [day, Math.floor(day / 17) % 3];
  });
  const added = cutsOf(withTellingCuts(striped, stripes)).filter((cut) => !cutsOf(striped).includes(cut));
  expect(added).toHaveLength(4);
  expect(added.every((cut) => cut % 17 === 0)).toBe(true);
});

test('what is cut at every cell, or stands alone, stays as it is', () => {
  const [table, rows] = tableOf([season(), season()], (stream) => [stream.below(3), stream.below(3)]);
  expect(withTellingCuts(table, rows)).toBe(table);
  const [alone, own] = tableOf([days('day')], (stream) => [stream.below(DAYS)]);
  expect(withTellingCuts(alone, own)).toBe(alone);
});
