import { BitMatrix } from '@orchard/dataset';
import {
  isExact,
  isMostProbable,
  NumberArray,
  openModel,
  readModelFile,
  writeModelFile,
  type Variables,
} from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { mostExact } from './every-set.js';
import { Experts } from './experts.js';
import { Partition, PartitionBound, partitionCodec, partitionOf } from './index.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;
const D = 6;
const unnamed = { dimensions: D, names: null, shape: null };
const every = BitMatrix.fromRows(Array.from({ length: 2 ** D }, (_, row) => row.toString(2).padStart(D, '0')));

function expertsOf(count: number, dimensions: number, seed = 1): Experts {
  const stream = new RandomStream(seed, 1040);
  const drawn = (length: number, draw: (uniform: number) => number): Float64Array =>
    Float64Array.from({ length }, () => draw(stream.uniform()));
  return new Experts({
    dimensions,
    active: drawn(count, (uniform) => 0.1 + 0.8 * uniform),
    opinions: drawn(count * dimensions, (uniform) => 0.05 + 0.9 * uniform),
    expertise: drawn(count * dimensions, (uniform) => 2 ** (8 * uniform - 4)),
  });
}

const ofFour = (variables: Variables): Partition =>
  new Partition({ ...variables, ...nothing }, expertsOf(4, variables.dimensions));

describeDensityModel('a partition of four experts', { codec: partitionCodec, make: ofFour });

/**
 * P of each of all rows as the thesis writes it, by plain sums over sets: who takes part, r of each, and the mean of
 * opinions.
 */
function byHand({ active, opinions, expertise, count }: Experts): Float64Array {
  const sets = Array.from({ length: 2 ** count - 1 }, (_, set) =>
    Array.from({ length: count }, (__, expert) => expert).filter((expert) => ((set + 1) >> expert) & 1),
  );
  const share = (own: readonly number[]): number =>
    active.reduce((product, p, expert) => product * (own.includes(expert) ? p : 1 - p), 1);
  const all = sets.reduce((sum, own) => sum + share(own), 0);
  return Float64Array.from({ length: every.rows }, (_, row) =>
    sets.reduce((sum, own) => {
      let product = share(own) / all;
      for (let dim = 0; dim < D; dim++) {
        const whole = own.reduce((total, expert) => total + expertise[expert * D + dim]!, 0);
        const rate = own.reduce((total, k) => total + (expertise[k * D + dim]! / whole) * opinions[k * D + dim]!, 0);
        product *= every.get(row, dim) === 1 ? rate : 1 - rate;
      }
      return sum + product;
    }, 0),
  );
}

describe('a partition', () => {
  test.each([1, 2, 5])('of %i experts is the sum over all sets of them, and over all rows 1', (count) => {
    const experts = expertsOf(count, D);
    const nats = partitionOf({ ...unnamed, ...nothing }, experts).logLikelihood(every);
    const right = byHand(experts);
    nats.forEach((own, row) => {
      expect(Math.abs(Math.exp(own) / right[row]! - 1)).toBeLessThan(1e-9);
    });
    expect(Math.abs(nats.reduce((sum, own) => sum + Math.exp(own), 0) - 1)).toBeLessThan(1e-9);
  });

  test('of one expert is its template', () => {
    const experts = expertsOf(1, D);
    const rates = partitionOf({ ...unnamed, ...nothing }, experts);
    const { rates: told } = (rates as Partition).marginals(every.selectRows([0]), BitMatrix.create(1, D));
    told.forEach((rate, dim) => {
      expect(rate).toBeCloseTo(experts.opinions[dim]!, 12);
    });
  });

  test('is exact of as many experts as all sets of which can be asked', () => {
    expect([isExact(ofFour(unnamed)), isMostProbable(ofFour(unnamed))]).toEqual([true, false]);
    expect([mostExact(32), mostExact(784), mostExact(2 ** 20), mostExact(2 ** 24)]).toEqual([16, 11, 1, 1]);
    const head = { dimensions: 784, names: null, shape: null, ...nothing };
    expect(partitionOf(head, expertsOf(11, 784))).toBeInstanceOf(Partition);
    expect(partitionOf(head, expertsOf(12, 784))).toBeInstanceOf(PartitionBound);
  });

  test('of experts that nearly never take part is a distribution too', () => {
    const active = new Float64Array(3).fill(2 ** -49);
    const experts = new Experts({ ...expertsOf(3, D).parts(), active });
    const nats = new Partition({ ...unnamed, ...nothing }, experts).logLikelihood(every);
    expect(Math.abs(nats.reduce((sum, own) => sum + Math.exp(own), 0) - 1)).toBeLessThan(1e-9);
  });
});

describe('the bound of many experts', () => {
  // what is exact of these is known too
  const experts = expertsOf(7, D);
  const bound = new PartitionBound({ ...unnamed, ...nothing }, experts);
  const exact = new Partition({ ...unnamed, ...nothing }, experts);

  test('is below the likelihood of every row, not far, and says that it is a bound', () => {
    const [low, high] = [bound.logLikelihood(every), exact.logLikelihood(every)];
    low.forEach((own, row) => {
      expect(own).toBeLessThanOrEqual(high[row]! + 1e-12);
    });
    const gap = low.reduce((sum, own, row) => sum + high[row]! - own, 0) / every.rows;
    expect(gap).toBeGreaterThan(0);
    expect(gap).toBeLessThan(2);
    expect(low.reduce((sum, own) => sum + Math.exp(own), 0)).toBeLessThan(1);
    expect([bound.likelihoodIs, 'likelihoodIs' in exact]).toEqual(['lower bound', false]);
    expect(bound.summary().facts.at(-1)![1]).toContain('lower bound');
    expect(bound.score(every)).toMatchObject({ logLikelihood: low, top: 0 });
  });

  test('of one expert is the likelihood itself', () => {
    const one = expertsOf(1, D);
    const low = new PartitionBound({ ...unnamed, ...nothing }, one).logLikelihood(every);
    const high = new Partition({ ...unnamed, ...nothing }, one).logLikelihood(every);
    low.forEach((own, row) => {
      expect(own).toBeCloseTo(high[row]!, 9);
    });
  });

  test('is of a model whose draws follow its exact law', () => {
    const drawn = bound.sample(40_000, 5);
    const counts = new Float64Array(2 ** D);
    for (let row = 0; row < drawn.rows; row++) counts[drawn.bytes[row * drawn.stride]! >> (8 - D)]!++;
    const law = exact.logLikelihood(every).map(Math.exp);
    const chiSquare = counts.reduce((sum, n, row) => sum + (n - 40_000 * law[row]!) ** 2 / (40_000 * law[row]!), 0);
    expect(chiSquare).toBeLessThan(63 + 5 * Math.sqrt(126));
    expect(bound.sample(50, 5).bytes).toEqual(drawn.selectRows(Array.from({ length: 50 }, (_, row) => row)).bytes);
  });

  test('completes nothing, and says which models do', () => {
    expect(isExact(bound)).toBe(false);
    expect(() => bound.complete(every, every, { seed: 0 })).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        remedy: expect.stringMatching(/--experts 16, .*chow-liu/) as string,
      }) as Error,
    );
  });

  test('comes back from its file', () => {
    const many = new PartitionBound({ ...unnamed, ...nothing }, expertsOf(20, D));
    const read = openModel(many.toBytes(), [partitionCodec]);
    expect(read).toBeInstanceOf(PartitionBound);
    expect(Buffer.compare(read.toBytes(), many.toBytes())).toBe(0);
    expect(read.logLikelihood(every)).toEqual(many.logLikelihood(every));
  });
});

test.each([
  ['an opinion of 1', { opinions: 1 }],
  ['no expertise', { expertise: 0 }],
  ['one that never takes part', { active: 0 }],
])('a file with %s is refused', (_, wrong: Partial<Record<'active' | 'opinions' | 'expertise', number>>) => {
  const model = ofFour(unnamed);
  const { head } = readModelFile(model.toBytes());
  const arrays = {
    active: [...model.experts.active],
    opinions: [...model.experts.opinions],
    expertise: [...model.experts.expertise],
  };
  const [key, value] = Object.entries(wrong)[0] as [keyof typeof arrays, number];
  arrays[key][0] = value;
  const body = Object.fromEntries(
    Object.entries(arrays).map(([name, values]) => [name, NumberArray.ofFloats([Float64Array.from(values)])]),
  );
  expect(() => openModel(writeModelFile(head, body), [partitionCodec])).toThrow(
    expect.objectContaining({ code: 'not-a-network-file' }) as Error,
  );
});
