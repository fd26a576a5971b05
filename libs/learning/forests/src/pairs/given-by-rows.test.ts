import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { givenByRows } from './given-by-rows.js';
import { countTogether, given, groupedColumn } from './grouped-pairs.js';
import { LeftOutTerms } from './left-out-terms.js';

const LENTS = [0, 0.25, 1, 4, 16, 64];

test('values of few rows are lent what they like, and those of many what they like, on one edge', () => {
  // two common values determine the other column, and sixty rare ones say nothing of it
  const stream = new RandomStream(3, 1023);
  const others = Uint16Array.from({ length: 700 }, (_, row) => (row < 400 ? row % 2 : 2 + (row % 60)));
  const codes = others.map((code) => (code < 2 ? code : stream.below(20)));
  const own = groupedColumn(
    codes,
    Uint16Array.from({ length: 20 }, (_, code) => code),
    20,
  );
  const other = groupedColumn(
    others,
    Uint16Array.from({ length: 62 }, (_, code) => code),
    62,
  );
  const together = countTogether(other, own);
  const terms = new LeftOutTerms(4, LENTS);
  const shares = givenByRows(own, other, together, terms);
  const lineOf = (all: Float64Array, line: number): Float64Array => all.subarray(20 * line, 20 * (line + 1));
  const withLent = LENTS.map((lent) => given(own, other, together, 4, Array<number>(62).fill(lent)));
  for (const common of [0, 1]) expect(lineOf(shares, common)).toEqual(lineOf(withLent[0]!, common));
  for (let rare = 2; rare < 62; rare++) expect(lineOf(shares, rare)).toEqual(lineOf(withLent[5]!, rare));
  // so that what comes once with a rare value is not taken for all that ever comes with it
  const once = codes[500]!;
  const elsewhere = codes.findIndex((code, row) => row >= 400 && code !== once && others[row] !== others[500]);
  expect(lineOf(shares, others[500]!)[codes[elsewhere]!]).toBeGreaterThan(0.01);
  for (let line = 0; line < 62; line++)
    expect(lineOf(shares, line).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
});
