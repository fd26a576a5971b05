import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { rake } from './rake.js';
import { countsOf, resample } from './resample.js';

const stream = new RandomStream(4, 1007);
const rows = 4000;
const sex = Int32Array.from({ length: rows }, () => stream.below(2));
// older women are many
const age = Int32Array.from(sex, (own) => Math.min(2, stream.below(3 + 2 * own)));

function shareOf(weights: Float64Array, partOf: Int32Array, part: number): number {
  return weights.reduce((sum, weight, row) => (partOf[row] === part ? sum + weight : sum), 0);
}

describe('raked weights', () => {
  it('have all margins together', () => {
    const { weights, error, effectiveRows } = rake(rows, [
      { partOf: sex, shares: [0.3, 0.7] },
      { partOf: age, shares: [0.5, 0.2, 0.3] },
    ]);
    expect(error).toBeLessThan(1e-8);
    expect(shareOf(weights, sex, 0)).toBeCloseTo(0.3, 8);
    expect(shareOf(weights, age, 1)).toBeCloseTo(0.2, 8);
    expect(effectiveRows).toBeLessThan(rows);
    expect(effectiveRows).toBeGreaterThan(rows / 4);
  });

  it('leave the odds of two margins as they are within their table', () => {
    const { weights } = rake(rows, [
      { partOf: sex, shares: [0.3, 0.7] },
      { partOf: age, shares: [0.5, 0.2, 0.3] },
    ]);
    const oddsRatio = (own: Float64Array): number => {
      const cell = (one: number, other: number): number =>
        own.reduce((sum, weight, row) => (sex[row] === one && age[row] === other ? sum + weight : sum), 0);
      return (cell(0, 1) * cell(1, 2)) / (cell(0, 2) * cell(1, 1));
    };
    expect(oddsRatio(weights)).toBeCloseTo(oddsRatio(new Float64Array(rows).fill(1)), 6);
  });

  it('say how far they are from margins that no rows have together', () => {
    const { error } = rake(rows, [
      { partOf: sex, shares: [0, 1] },
      { partOf: sex.map((own) => 1 - own), shares: [0, 1] },
    ]);
    expect(error).toBeGreaterThan(0.1);
  });

  it('of rows that have the shares are equal', () => {
    const { weights, effectiveRows } = rake(4, [{ partOf: Int32Array.of(0, 1, 0, 1), shares: [0.5, 0.5] }]);
    expect([...weights]).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(effectiveRows).toBe(4);
  });
});

describe('rows that are taken by weights', () => {
  it('are each taken as often as they weigh, rounded down or up', () => {
    const weights = Float64Array.from({ length: 300 }, () => stream.uniform() ** 4);
    const sum = weights.reduce((all, weight) => all + weight, 0);
    const shares = weights.map((weight) => weight / sum);
    const taken = resample(shares, 500, stream.uniform());
    const times = new Uint32Array(300);
    for (const row of taken) times[row]!++;
    times.forEach((own, row) => expect(Math.abs(own - 500 * shares[row]!)).toBeLessThan(1));
  });

  it('are never those of weight 0', () => {
    expect([...resample(Float64Array.of(0, 0.5, 0, 0.5, 0), 4, 0)]).toEqual([1, 1, 3, 3]);
    expect([...resample(Float64Array.of(0, 0.5, 0, 0.5, 0), 4, 1 - 2 ** -32)]).toEqual([1, 1, 3, 3]);
  });
});

it('counts by shares come to the whole, the largest remainders first', () => {
  expect(countsOf([0.5, 0.5], 3)).toEqual([2, 1]);
  expect(countsOf([0.6, 0.4], 10)).toEqual([6, 4]);
  expect(countsOf([1 / 3, 1 / 3, 1 / 3], 10)).toEqual([4, 3, 3]);
});
