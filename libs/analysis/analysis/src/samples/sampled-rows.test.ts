import { BitMatrix, type Texts } from '@orchard/dataset';
import { expect, it } from 'vitest';
import { sampledAtATime, SampledRows } from './sampled-rows.js';

const COUNT = 23;
const matrix = BitMatrix.create(COUNT, 1);
for (let row = 0; row < COUNT; row += 3) matrix.set(row, 0, 1);

interface Sampling {
  readonly rows: SampledRows;
  /** How many rows each batch that was sampled has. */
  readonly batches: number[];
}

/** A row's words say its bit and its number. */
function rowsInBatchesOf(size: number): Sampling {
  const batches: number[] = [];
  let sampled = 0;
  const source = {
    next: (some: number) => {
      batches.push(some);
      sampled += some;
      return matrix.sliceRows(sampled - some, sampled);
    },
    wordsOf: (codes: BitMatrix, first: number) => [
      Array.from({ length: codes.rows }, (_, row) => String(codes.get(row, 0))),
      Array.from({ length: codes.rows }, (_, row) => String(first + row)),
    ],
  };
  return { rows: new SampledRows(COUNT, source, size), batches };
}

const wanted = Array.from({ length: COUNT }, (_, row) => [row % 3 === 0 ? '1' : '0', String(row)]);
const turned = (texts: Texts): (string | null)[][] => texts[0]!.map((_, row) => texts.map((column) => column[row]!));
const rowsOf = (batches: Iterable<Texts>): (string | null)[][] => [...batches].flatMap(turned);

it.each([1, 5, 23, 100])('gives the same rows in batches of %i, each sampled once', (size) => {
  const { rows, batches } = rowsInBatchesOf(size);
  expect(wanted.map((_, row) => [...rows.row(row)])).toEqual(wanted);
  expect(rowsOf(rows.taken())).toEqual(wanted);
  expect(batches.reduce((sum, own) => sum + own, 0)).toBe(COUNT);
  expect(Math.max(...batches)).toBeLessThanOrEqual(size);
});

it('samples a batch no sooner than it is asked for, and lets go of what was taken', () => {
  const { rows, batches } = rowsInBatchesOf(5);
  expect(batches).toEqual([]);
  const taken = rows.taken();
  expect(turned(taken.next().value as Texts)).toEqual(wanted.slice(0, 5));
  expect(batches).toEqual([5]);
  taken.next();
  expect(batches).toEqual([5, 5]);
  expect(() => rows.row(3)).toThrow('taken before');
});

it('samples no more than what is shown of many rows', () => {
  const { rows, batches } = rowsInBatchesOf(5);
  expect(rowsOf(rows.taken(7))).toEqual(wanted.slice(0, 7));
  expect(batches).toEqual([5, 5]);
});

it.each([1, 5, 100])('gives rows that were replaced, in batches of %i', (size) => {
  const { rows } = rowsInBatchesOf(size);
  expect(rows.row(6)).toEqual(wanted[6]);
  rows.replace(6, ['other', null]);
  rows.replace(22, [null, 'last']);
  const replaced = wanted.map((own, row) => (row === 6 ? ['other', null] : row === 22 ? [null, 'last'] : own));
  expect(replaced.map((_, row) => [...rows.row(row)])).toEqual(replaced);
  expect(rowsOf(rows.taken())).toEqual(replaced);
});

it('takes fewer rows at a time of wide tables, and one at least', () => {
  expect([1, 10, 1000, 2 ** 20].map(sampledAtATime)).toEqual([4096, 4096, 512, 4]);
});
