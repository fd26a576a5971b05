import type { OrderedVariable } from '@orchard/contracts';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it, test } from 'vitest';
import { orderedOf } from '../table/columns.suite.js';
import { valueCount } from './codes.js';
import { ordered as variableOf } from './small-tables.suite.js';
import { ValueDistribution } from './value-distribution.js';

const stream = new RandomStream(12, 1000);
const columns = {
  measurements: Array.from({ length: 2000 }, () => (stream.uniform() * 9 - stream.uniform() * 5).toFixed(3)),
  'measurements that are never negative': Array.from({ length: 1500 }, () => (stream.uniform() ** 6 * 40).toFixed(2)),
  'rain: mostly 0': Array.from({ length: 1500 }, () =>
    stream.below(3) > 0 ? '0.0' : (stream.uniform() * 40).toFixed(1),
  ),
  'heavy values within': Array.from({ length: 1500 }, () =>
    stream.below(4) === 0 ? '500' : String(stream.below(1000)),
  ),
  counts: Array.from({ length: 400 }, () => String(stream.below(6) * stream.below(6))),
};

const ordered = (name: string, cells: number, measure: 'mass' | 'density'): OrderedVariable =>
  variableOf(name, cells, measure) as OrderedVariable;

/** Steps of the sums that stand for integrals. */
const STEPS = 2000;

describe.each(Object.entries(columns))('the ranked score: %s', (_, cells) => {
  it('is the integral of (F(x) - [x >= value])², of values in the middle and far out', async () => {
    const variable = await orderedOf(cells);
    const shares = Float64Array.from({ length: valueCount(variable) }, () => stream.uniform() ** 4);
    const distribution = new ValueDistribution(variable, shares);
    const [low, high] = [distribution.quantile(1e-12), distribution.quantile(1 - 1e-12)];
    for (const value of [-0.2, 0, 0.013, 0.3, 0.5, 0.99, 1, 1.3].map((part) => low + part * (high - low))) {
      const [from, to] = [Math.min(low, value) - 1, Math.max(high, value) + 1];
      const step = (to - from) / STEPS;
      let sum = 0;
      for (let at = 0; at < STEPS; at++) {
        const x = from + (at + 0.5) * step;
        sum += step * (distribution.shareBetween(-Infinity, x) - (x >= value ? 1 : 0)) ** 2;
      }
      // the sum errs by a step where F jumps
      expect(Math.abs(distribution.rankedScore(value) - sum)).toBeLessThan(2 * step);
    }
  });
});

const alone = (variable: OrderedVariable, code: number): ValueDistribution =>
  new ValueDistribution(
    variable,
    Float64Array.from({ length: valueCount(variable) }, (_, at) => Number(at === code)),
  );

test('of even values it is (a³ + b³) / 3 of the distances to both ends, and grows by 1 with each unit outside', () => {
  const variable = ordered('size', 4, 'density');
  const [low, high] = [variable.edges[0]!, variable.edges[1]!];
  const distribution = alone(variable, 1);
  const length = high - low;
  for (const part of [0, 0.25, 0.5, 1])
    expect(distribution.rankedScore(low + part * length)).toBeCloseTo((length * (part ** 3 + (1 - part) ** 3)) / 3, 12);
  expect(distribution.rankedScore(low - 2)).toBeCloseTo(2 + length / 3, 12);
  expect(distribution.rankedScore(high + 2)).toBeCloseTo(2 + length / 3, 12);
});

test('of an exponential tail it is y - 2 s (1 - exp(-y / s)) + s / 2, on both sides', () => {
  const variable = ordered('size', 4, 'density');
  const { edges, tails } = variable;
  const sides = [
    [0, edges[0]!, -1, tails![0]],
    [edges.length, edges.at(-1)!, 1, tails![1]],
  ] as const;
  for (const [code, edge, sign, scale] of sides)
    for (const y of [0, 0.4, 1, 7])
      expect(alone(variable, code).rankedScore(edge + sign * y)).toBeCloseTo(
        y - 2 * scale * (1 - Math.exp(-y / scale)) + scale / 2,
        12,
      );
});

test('of a tail that a bound cuts, however short, it is the limit of even values', () => {
  const variable = ordered('size', 4, 'density');
  const edge = variable.edges[0]!;
  for (const length of [1e-9, 1e-4, 1e-2]) {
    const distribution = alone({ ...variable, bounds: [edge - length * variable.tails![0], null] }, 0);
    const whole = length * variable.tails![0];
    expect(distribution.rankedScore(edge) / whole).toBeCloseTo(1 / 3, 2);
    expect(distribution.rankedScore(edge - whole) / whole).toBeCloseTo(1 / 3, 2);
  }
});

test('of values with masses it is the mean distance less half of that of two', () => {
  const variable = ordered('count', 3, 'mass');
  const [a, b, c] = variable.values as [number, number, number];
  const distribution = new ValueDistribution(variable, [0.5, 0.25, 0.25]);
  const half = 0.5 * 0.25 * (b - a) + 0.5 * 0.25 * (c - a) + 0.25 * 0.25 * (c - b);
  expect(distribution.rankedScore(b)).toBeCloseTo(0.5 * (b - a) + 0.25 * (c - b) - half, 12);
  expect(new ValueDistribution(variable, [0, 1, 0]).rankedScore(c)).toBe(c - b);
});
