import { BitMatrix } from '@orchard/dataset';
import {
  ModelError,
  networkCodec,
  openModel,
  toValues,
  type DensityModel,
  type ModelCodec,
  type Network,
} from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it, test } from 'vitest';
import { Coins, coinsCodec } from '@orchard/model/conformance/coins';
import { randomNetwork } from '@orchard/model/conformance/networks';
import { Mixture, mixtureCodec, mixtureOf } from './index.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;

/** Networks in other orderings, with trees of their own. */
function networks(
  count: number,
  { dimensions = 6, names = null, shape = null }: Partial<DensityModel> = {},
): Network[] {
  return Array.from({ length: count }, (_, seed) =>
    randomNetwork({ dimensions, names, shape, trees: 5, leaves: 5, strongest: 1.4, seed: seed + 1 }),
  );
}

function coins(dimensions: number, ones: number): Coins {
  return new Coins({ dimensions, names: null, shape: null, ...nothing }, new Float64Array(dimensions).fill(ones));
}

function allRows(dimensions: number): BitMatrix {
  return BitMatrix.fromRows(
    Array.from({ length: 2 ** dimensions }, (_, row) => row.toString(2).padStart(dimensions, '0')),
  );
}

describeDensityModel('a mixture of networks in different orderings', {
  codec: mixtureCodec([networkCodec]),
  make: (variables) =>
    mixtureOf({ ...nothing, members: networks(3, variables), weights: Float64Array.of(0.5, 0.3, 0.2) }),
});

describeDensityModel('a mixture of models of two families', {
  codec: mixtureCodec([networkCodec, coinsCodec]),
  make: (variables) =>
    mixtureOf({
      specification: { of: 'tests' },
      likelihoods: { train: -1, valid: null, test: -2 },
      members: [
        ...networks(1, variables),
        new Coins({ ...variables, ...nothing }, new Float64Array(variables.dimensions).fill(0.4)),
      ],
      weights: Float64Array.of(0.75, 0.25),
    }),
});

test('the file of a mixture is made of the files of its members, of which a large one is not held', () => {
  const made: number[] = [];
  const members = [4, 5, 6].map((ones, member) => {
    const coin = coins(3, ones / 10);
    const toBytes = coin.toBytes.bind(coin);
    coin.toBytes = () => {
      made.push(member);
      return member === 1 ? new Uint8Array(32_000_001) : toBytes();
    };
    return coin;
  });
  mixtureOf({ ...nothing, members, weights: Float64Array.of(0.5, 0.25, 0.25) }).toBytes();
  // the large one to be measured, and to be written
  expect(made).toEqual([0, 1, 2, 1]);
});

describe('the likelihood of a mixture', () => {
  it.each([1, 4, 10])('of %i dimensions is the weighted sum of the members’, over all rows 1', (dimensions) => {
    const members = networks(4, { dimensions });
    const weights = Float64Array.of(0.1, 0.2, 0.3, 0.4);
    const rows = allRows(dimensions);
    const logs = mixtureOf({ ...nothing, members, weights }).logLikelihood(rows);
    const own = members.map((member) => member.logLikelihood(rows));
    logs.forEach((value, row) => {
      const sum = own.reduce((total, each, m) => total + weights[m]! * Math.exp(each[row]!), 0);
      expect(Math.exp(value)).toBeCloseTo(sum, 12);
    });
    expect(Math.abs(logs.reduce((sum, value) => sum + Math.exp(value), 0) - 1)).toBeLessThan(1e-9);
  });

  it('does not underflow where rows are too improbable for a double', () => {
    const [wide, ones] = [2000, BitMatrix.create(1, 2000)];
    const members = [coins(wide, 0.8), coins(wide, 0.9)];
    const [value] = mixtureOf({ ...nothing, members, weights: Float64Array.of(0.5, 0.5) }).logLikelihood(ones);
    expect(value).toBeCloseTo(2000 * Math.log(0.2) + Math.log(0.5), 8);
  });
});

describe('what a mixture tells of single rows', () => {
  // one member holds ones likely, the other zeros
  const mixture = mixtureOf({
    ...nothing,
    members: [coins(8, 0.9), coins(8, 0.1)],
    weights: Float64Array.of(0.5, 0.5),
  });

  it('is mostly what the member says that the row is likely of', () => {
    const { surprise, columns } = mixture.score(BitMatrix.fromRows(['11111101', '00000010']), { top: 1 });
    expect([...columns]).toEqual([6, 6]);
    expect(surprise[6]).toBeGreaterThan(2);
    expect(surprise[0]).toBeLessThan(0.4);
  });

  it('completes by the member that what is known speaks for', () => {
    const rows = BitMatrix.fromRows(Array.from({ length: 400 }, () => '11110000'));
    const known = BitMatrix.fromRows(Array.from({ length: 400 }, () => '11110000'));
    const { matrix, logEvidence, exact } = mixture.complete(rows, known, { seed: 3 });
    const [high, low] = [0.5 * 0.9 ** 4, 0.5 * 0.1 ** 4];
    expect(logEvidence[7]).toBeCloseTo(Math.log(high + low), 12);
    expect([...exact]).toEqual(new Array(400).fill(1));
    // of 1,600 values drawn, nine in ten by the first member: three standard deviations are 0.023
    const drawn = toValues(matrix).reduce((sum: number, value) => sum + value, 0) / 400 - 4;
    expect(Math.abs(drawn / 4 - (0.9 * high + 0.1 * low) / (high + low))).toBeLessThan(0.023);
  });
});

test('evidence of members that is estimated is that of the whole, as far as its error says', () => {
  const members = networks(4, { dimensions: 12 });
  const weights = Float64Array.of(0.25, 0.25, 0.25, 0.25);
  const mixture = mixtureOf({ ...nothing, members, weights });
  const every = allRows(12);
  const logs = mixture.logLikelihood(every);
  const stream = new RandomStream(1, 1003);
  const [values, mask] = [BitMatrix.create(300, 12), BitMatrix.create(300, 12)];
  for (let row = 0; row < 300; row++)
    for (let dim = 0; dim < 12; dim++) {
      values.set(row, dim, stream.below(2) === 1);
      mask.set(row, dim, stream.below(2) === 1);
    }
  const { logEvidence, logEvidenceError, effectiveSampleSize, exact } = mixture.complete(values, mask, {
    seed: 9,
    samples: 8,
  });
  const squares = { error: 0, said: 0 };
  for (let row = 0; row < 300; row++) {
    let sum = 0;
    for (let other = 0; other < every.rows; other++) {
      const agrees = [...Array(12).keys()].every(
        (dim) => mask.get(row, dim) === 0 || values.get(row, dim) === every.get(other, dim),
      );
      if (agrees) sum += Math.exp(logs[other]!);
    }
    squares.error += (logEvidence[row]! - Math.log(sum)) ** 2;
    squares.said += logEvidenceError[row]! ** 2;
    expect(effectiveSampleSize[row]).toBeGreaterThanOrEqual(1);
    expect(effectiveSampleSize[row]).toBeLessThanOrEqual(8);
  }
  expect(exact).toContain(0);
  expect(squares.error / squares.said).toBeGreaterThan(0.5);
  expect(squares.error / squares.said).toBeLessThan(2);
});

test('importance is the mean over the members in which a column has predictors', () => {
  const members = networks(3);
  const mixture = mixtureOf({ ...nothing, members, weights: Float64Array.of(0.5, 0.25, 0.25) });
  expect('importanceOf' in mixture).toBe(true);
  const explained = mixture as Mixture & { importanceOf(column: number): Float64Array };
  for (let column = 0; column < 6; column++) {
    const own = members.map((member) => member.importanceOf(column));
    const sum = own[0]!.map((share, at) => 0.5 * share + 0.25 * own[1]![at]! + 0.25 * own[2]![at]!);
    const total = sum.reduce((all, share) => all + share, 0);
    expect(explained.importanceOf(column)).toEqual(sum.map((share) => (total > 0 ? share / total : 0)));
  }
  expect('importanceOf' in mixtureOf({ ...nothing, members: [coins(3, 0.5)], weights: Float64Array.of(1) })).toBe(
    false,
  );
});

describe('a mixture is refused', () => {
  const two = networks(2);
  it.each([
    ['without members', { members: [], weights: new Float64Array() }],
    ['of other columns', { members: [two[0]!, coins(5, 0.5)], weights: Float64Array.of(0.5, 0.5) }],
    [
      'of columns of other names',
      { members: [two[0]!, networks(1, { names: [...'abcdef'] })[0]!], weights: Float64Array.of(0.5, 0.5) },
    ],
    ['with fewer weights', { members: two, weights: Float64Array.of(1) }],
    ['with a weight of nothing', { members: two, weights: Float64Array.of(1, 0) }],
    ['with weights that are no distribution', { members: two, weights: Float64Array.of(0.5, 0.6) }],
  ])('%s', (_, parts) => {
    expect(() => mixtureOf({ ...nothing, ...parts })).toThrow(ModelError);
  });

  it('where a member is a mixture, or of a family that is not known', () => {
    const codec = mixtureCodec([networkCodec]);
    const inner = mixtureOf({ ...nothing, members: two, weights: Float64Array.of(0.5, 0.5) });
    const nested = mixtureOf({ ...nothing, members: [inner], weights: Float64Array.of(1) });
    expect(openModel(inner.toBytes(), [codec])).toBeInstanceOf(Mixture);
    expect(() => openModel(nested.toBytes(), [codec])).toThrow(/mixture/);
    const mixed = mixtureOf({ ...nothing, members: [coins(4, 0.5)], weights: Float64Array.of(1) });
    expect(() => openModel(mixed.toBytes(), [codec])).toThrow(/coins/);
  });

  it('where its members together unpack to more than a file of its size may', () => {
    const hungry: ModelCodec = {
      ...coinsCodec,
      read: (head, body) => {
        body.room.take(2 ** 22, 'rates');
        return coinsCodec.read(head, body);
      },
    };
    const read = (count: number): DensityModel => {
      const members = Array.from({ length: count }, () => coins(4, 0.5));
      const weights = new Float64Array(count).fill(1 / count);
      return openModel(mixtureOf({ ...nothing, members, weights }).toBytes(), [mixtureCodec([hungry])]);
    };
    expect(read(2)).toBeInstanceOf(Mixture);
    expect(() => read(4)).toThrow(/unpack to/);
  });
});
