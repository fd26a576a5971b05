import { BitMatrix } from '@orchard/dataset';
import { ModelError, NumberArray, openModel, writeModelFile, type Variables } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import {
  abstainingOf,
  compositions,
  Experts,
  PlacedExperts,
  Placement,
  Places,
  type Composition,
} from './compositions/index.js';
import { Compositional, compositionalCodec, PlacedCompositional } from './compositional-model.js';
import { mostExperts } from '@orchard/mixture/every-set';

const likelihoods = { train: null, valid: null, test: null };

function randomExperts(composition: Composition, count: number, dimensions: number): Experts {
  const stream = new RandomStream(7, 1003, count);
  const between = (length: number): Float64Array => Float64Array.from({ length }, () => 0.15 + 0.7 * stream.uniform());
  const parts = { composition, dimensions, abstaining: abstainingOf(composition, 8) };
  return new Experts({ ...parts, active: between(count), rates: between(count * dimensions) });
}

const make =
  (composition: Composition, count = 3) =>
  (variables: Variables): Compositional =>
    new Compositional(
      { ...variables, specification: { made: 'by hand' }, likelihoods },
      randomExperts(composition, count, variables.dimensions),
    );

// one of those that are learned as log-odds are: what differs is the rule, which is tested below
for (const composition of ['max-minus-min', 'max', 'log-odds', 'normalized-sum'] as const)
  describeDensityModel(`experts composed by ${composition}`, { codec: compositionalCodec, make: make(composition) });

describe('experts anywhere in images of 2 x 3', () => {
  const shape = [2, 3] as const;
  const places = new Places(6, { shape, shifts: 1, turns: 90 });
  const most = places.most;
  const experts = randomExperts('max-minus-min', 2, 6);
  const covariance = Float64Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? 1.5 : 0.3));
  const placement = new Placement({ experts: 2, most, mean: Float64Array.of(0.4, 0, -1, 0, 0.2, 3), covariance });
  const head = { dimensions: 6, names: null, shape: [2, 3] as [number, number], specification: null, likelihoods };
  const model = new PlacedCompositional(head, new PlacedExperts({ experts, places, placement }));

  test('are read from their file as they were', () => {
    const again = openModel(model.toBytes(), [compositionalCodec]);
    expect(again.toBytes()).toEqual(model.toBytes());
    expect(again.sample(20, 1)).toEqual(model.sample(20, 1));
    expect(again.summary().facts[2]).toEqual([
      'places',
      '171 of each expert: shifted by up to 1 pixels, turned by up to 90 degrees',
    ]);
  });

  test('are not read where the rows have another shape', () => {
    const other = { ...head, shape: [3, 2] as [number, number] };
    expect(() => new PlacedCompositional(other, model.placed)).toThrow(/another shape/);
  });
});

/** The thesis' rules as they are printed. */
const rules: Record<Composition, (opinions: readonly number[], q: number) => number> = {
  'max-minus-min': (opinions, q) =>
    q + Math.max(0, Math.max(...opinions) - q) - Math.max(0, -(Math.min(...opinions) - q)),
  max: (opinions, q) => Math.max(q, ...opinions),
  'log-odds': (opinions) => 1 / (1 + Math.exp(-opinions.reduce((sum, p) => sum + Math.log(p / (1 - p)), 0))),
  // of these two each opinion counts by what it says beyond q, which is 0 in the thesis
  'noisy-or': (opinions, q) => 1 - opinions.reduce((product, p) => (product * (1 - p)) / (1 - q), 1 - q),
  'sum-of-odds': (opinions, q) =>
    1 - 1 / (1 + opinions.reduce((sum, p) => sum + p / (1 - p) - q / (1 - q), q / (1 - q))),
  mean: (opinions) => opinions.reduce((sum, p) => sum + p, 0) / opinions.length,
  'normalized-sum': normalizedSum,
};

/** Linear in each opinion between 0, 1/2 and 1, by halving the opinions one after another. */
function normalizedSum(opinions: readonly number[]): number {
  const between = opinions.findIndex((p) => p !== 0 && p !== 1 / 2 && p !== 1);
  if (between < 0) {
    const whole = opinions.reduce((sum, p) => sum + Math.abs(p - 1 / 2), 0);
    return whole === 0 ? 1 / 2 : (opinions.reduce((sum, p) => sum + p - 1 / 2, 0) / whole + 1) / 2;
  }
  const p = opinions[between]!;
  const extreme = p > 1 / 2 ? 1 : 0;
  const share = Math.abs(2 * p - 1);
  return (
    share * normalizedSum(opinions.with(between, extreme)) + (1 - share) * normalizedSum(opinions.with(between, 1 / 2))
  );
}

describe.each(compositions)('experts composed by %s', (composition) => {
  const dimensions = 7;
  const count = 5;
  const model = make(composition, count)({ dimensions, names: null, shape: null });
  const { active, rates, abstaining } = model.experts;
  const every = Array.from({ length: 2 ** dimensions }, (_, row) => row.toString(2).padStart(dimensions, '0'));

  /** log P by the definition: a sum over all sets of experts. */
  const byHand = (row: string): number => {
    let sum = 0;
    for (let set = 0; set < 2 ** count; set++) {
      const on = Array.from({ length: count }, (_, expert) => expert).filter((expert) => (set >> expert) & 1);
      let p = active.reduce((product, share, expert) => product * (on.includes(expert) ? share : 1 - share), 1);
      for (let dim = 0; dim < dimensions; dim++) {
        const opinions = on.map((expert) => rates[expert * dimensions + dim]!);
        const rate = opinions.length === 0 ? abstaining : rules[composition](opinions, abstaining);
        p *= row[dim] === '1' ? rate : 1 - rate;
      }
      sum += p;
    }
    return sum;
  };

  test('are as likely as the sum over all sets says, and all rows together as likely as one', () => {
    const logs = model.logLikelihood(BitMatrix.fromRows(every));
    every.forEach((row, at) => expect(Math.exp(logs[at]!) / byHand(row)).toBeCloseTo(1, 10));
    expect(Math.abs(logs.reduce((sum, nats) => sum + Math.exp(nats), 0) - 1)).toBeLessThan(1e-9);
  });
});

describe('a file', () => {
  const head = { family: 'compositional', dimensions: 3, names: null, shape: null, specification: null, likelihoods };
  const written = (composition: number, abstaining: number, active: readonly number[], rate: number): Uint8Array =>
    writeModelFile(head, {
      composition: NumberArray.ofIntegers([Uint32Array.of(composition)]),
      abstaining: NumberArray.ofFloats([Float64Array.of(abstaining)]),
      active: NumberArray.ofFloats([Float64Array.from(active)]),
      rates: NumberArray.ofFloats([new Float64Array(3 * active.length).fill(rate)]),
    });

  test('of one expert is read', () => {
    const model = openModel(written(0, 0.5, [0.25], 0.9), [compositionalCodec]);
    expect(model.logLikelihood(BitMatrix.fromRows(['111']))[0]).toBeCloseTo(
      Math.log(0.75 * 0.5 ** 3 + 0.25 * 0.9 ** 3),
      12,
    );
    expect(model.summary().facts[0]).toEqual(['model', '1 expert, composed by max-minus-min']);
  });

  test.each([
    ['of another composition', written(compositions.length, 0.5, [0.5], 0.5)],
    ['without an expert', written(0, 0.5, [], 0.5)],
    ['with a rate of 1', written(0, 0.5, [0.5], 1)],
    ['with a rate that is next to 0', written(0, 0.5, [0.5], 1e-300)],
    ['with an expert that is always active', written(0, 0.5, [1], 0.5)],
    ['of max, with a rate below what silence says', written(1, 0.5, [0.5], 0.4)],
  ])('%s is refused', (_, bytes) => {
    expect(() => openModel(bytes, [compositionalCodec])).toThrow(ModelError);
    expect(() => openModel(bytes, [compositionalCodec])).toThrow(
      expect.objectContaining({ code: 'not-a-network-file' }) as Error,
    );
  });
});

test('as many experts are asked as their sets of columns fit', () => {
  expect([1, 32, 64, 784, 1024, 2 ** 21, 2 ** 22].map(mostExperts)).toEqual([16, 16, 15, 11, 11, 0, -1]);
});
