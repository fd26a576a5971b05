import type { OrderedVariable } from '@orchard/contracts';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, it } from 'vitest';
import { orderedOf } from '../table/columns.suite.js';
import { valueCount } from './codes.js';
import { drawIn, shareIn } from './density.js';
import { densestOf, ValueDistribution } from './value-distribution.js';

const stream = new RandomStream(11, 1000);
const columns = {
  measurements: Array.from({ length: 2000 }, () => (stream.uniform() * 9 - stream.uniform() * 5).toFixed(3)),
  'rain: mostly 0': Array.from({ length: 1500 }, () =>
    stream.below(3) > 0 ? '0.0' : (stream.uniform() * 40).toFixed(1),
  ),
  'heavy values within': Array.from({ length: 1500 }, () =>
    stream.below(4) === 0 ? '500' : String(stream.below(1000)),
  ),
  counts: Array.from({ length: 400 }, () => String(stream.below(6) * stream.below(6))),
  days: Array.from({ length: 700 }, () => new Date(stream.below(20_000) * 86_400_000).toISOString().slice(0, 10)),
};

describe.each(Object.entries(columns))('the distribution of values: %s', (_, cells) => {
  let variable: OrderedVariable;
  let codes: number;
  let distribution: ValueDistribution;
  /** Many values, drawn as samples are: a code by its share, then a value of it. */
  let drawn: Float64Array;

  beforeAll(async () => {
    variable = await orderedOf(cells);
    codes = valueCount(variable);
    const shares = Float64Array.from({ length: codes }, () => stream.uniform() ** 4);
    const total = shares.reduce((sum, share) => sum + share, 0);
    distribution = new ValueDistribution(variable, shares);
    drawn = Float64Array.from({ length: 40_000 }, () => {
      let rest = stream.uniform() * total;
      const code = shares.findIndex((share) => (rest -= share) <= 0);
      return drawIn(variable, code, 1 - stream.uniform());
    }).sort();
  });

  it('has the quantiles and the mean of what is drawn', () => {
    const spread = drawn[Math.floor(0.95 * drawn.length)]! - drawn[Math.floor(0.05 * drawn.length)]!;
    for (const part of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      const value = distribution.quantile(part);
      // where one value is heavy, many parts have it as their quantile
      const below = drawn.filter((own) => own < value - 1e-9 * spread).length / drawn.length;
      const upTo = drawn.filter((own) => own <= value + 1e-9 * spread).length / drawn.length;
      expect(below).toBeLessThan(part + 0.012);
      expect(upTo).toBeGreaterThan(part - 0.012);
    }
    const mean = drawn.reduce((sum, own) => sum + own, 0) / drawn.length;
    expect(Math.abs(distribution.mean() - mean) / spread).toBeLessThan(0.02);
  });

  it('has at least as much up to a quantile as it is of', () => {
    for (const part of [0.1, 0.4, 0.8])
      expect(distribution.shareBetween(-Infinity, distribution.quantile(part))).toBeGreaterThan(part - 1e-9);
    expect(distribution.shareBetween(-Infinity, Infinity)).toBeCloseTo(1, 12);
  });

  it('stays in the cell that alone is likely', () => {
    const code = Math.floor(codes / 2);
    const shares = Float64Array.from({ length: codes }, (__, at) => Number(at === code));
    const alone = new ValueDistribution(variable, shares);
    const [low, high] = [alone.quantile(0.001), alone.quantile(0.999)];
    expect(shareIn(variable, code, low, high)).toBeGreaterThan(0.979);
    for (const value of [alone.mean(), alone.mode()]) expect(value >= low && value <= high).toBe(true);
  });
});

it('the half-sample mode lies where numbers are densest', () => {
  expect(densestOf(Float64Array.of(0, 1, 5, 5.1, 5.2, 9, 14))).toBeCloseTo(5.1, 1);
  expect(densestOf(Float64Array.of(3))).toBe(3);
});
