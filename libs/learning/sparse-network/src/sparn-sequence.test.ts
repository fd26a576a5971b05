import { BitMatrix } from '@orchard/dataset';
import { NumberArray, openModel, readModelFile, writeModelFile, type Variables } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { describe, expect, test } from 'vitest';
import { Gate } from './gate.js';
import { Interval } from './interval.js';
import { sequenceCodec, SparnSequence } from './sparn-sequence.js';
import type { SparseWeights } from './sparse-weights.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;

/** Sums told by those columns before `limits[at]` that are one and three back from it. */
function table(limits: readonly number[], strength: number): SparseWeights {
  const starts = new Uint32Array(limits.length + 1);
  const predictors: number[] = [];
  limits.forEach((limit, at) => {
    for (const distance of [3, 1]) if (limit >= distance) predictors.push(limit - distance);
    starts[at + 1] = predictors.length;
  });
  return {
    intercepts: Float64Array.from(limits, (_, at) => ((at * 3) % 5) / 4 - 0.5),
    starts,
    predictors: Uint32Array.from(predictors),
    weights: Float64Array.from(predictors, (_, at) => strength * (((at * 5) % 7) / 8 - 0.4)),
  };
}

/** Intervals of three columns, of two components, then three, then two again. */
function made({ dimensions, names, shape }: Variables): SparnSequence {
  const intervals: Interval[] = [];
  for (let first = 0; first < dimensions; first += 3) {
    const end = Math.min(dimensions, first + 3);
    const components = 2 + (intervals.length % 2);
    const limits = Array.from({ length: end - first }, (_, at) => first + at);
    const networks = Array.from({ length: components }, (_, h) => table(limits, 1 - h));
    const told = (): Gate => new Gate(first, table(new Array<number>(components).fill(first), 2));
    intervals.push(new Interval(first === 0 ? Gate.ofWeights([0.3, 0.7]) : told(), networks));
  }
  return new SparnSequence({ dimensions, names, shape, ...nothing }, intervals);
}

describeDensityModel('a sequence of mixtures', { codec: sequenceCodec, make: made });

test('a row is as likely as its intervals, each summed over components that the columns before tell', () => {
  const model = made({ dimensions: 7, names: null, shape: null });
  for (let number = 0; number < 128; number++) {
    const row = BitMatrix.fromRows([number.toString(2).padStart(7, '0')]);
    const sumOf = ({ intercepts, starts, predictors, weights }: SparseWeights, at: number): number => {
      let sum = intercepts[at]!;
      for (let place = starts[at]!; place < starts[at + 1]!; place++)
        sum += weights[place]! * (2 * row.get(0, predictors[place]!) - 1);
      return sum;
    };
    let nats = 0;
    for (const { first, end, components, gate, networks } of model.intervals) {
      const scores = Array.from({ length: components }, (_, h) => Math.exp(sumOf(gate.scores, h)));
      const all = scores.reduce((sum, score) => sum + score, 0);
      const likelihood = scores.reduce((sum, score, h) => {
        let own = score / all;
        for (let column = first; column < end; column++) {
          const odds = sumOf(networks[h]!, column - first);
          own /= 1 + Math.exp((1 - 2 * row.get(0, column)) * odds);
        }
        return sum + own;
      }, 0);
      nats += Math.log(likelihood);
    }
    expect(model.logLikelihood(row)[0]).toBeCloseTo(nats, 11);
  }
  expect(model.summary().facts.slice(1, 3)).toEqual([
    ['intervals', '3, that end at columns 3, 6, 7'],
    ['components', '2, 3, 2 of these intervals'],
  ]);
});

describe('a file of a sequence', () => {
  const { head } = readModelFile(made({ dimensions: 3, names: null, shape: null }).toBytes());
  const none = NumberArray.ofIntegers([new Uint32Array(0)]);
  const written = (
    components: number[],
    sums: { network: number; gate: number },
    told: { counts: number[]; predictors: number[] } | null = null,
  ): Uint8Array =>
    writeModelFile(head, {
      components: NumberArray.ofIntegers([Uint32Array.from(components)]),
      networkIntercepts: NumberArray.ofFloats([new Float64Array(sums.network)]),
      networkCounts: NumberArray.ofIntegers([
        Uint32Array.from(told?.counts ?? new Array<number>(sums.network).fill(0)),
      ]),
      networkPredictors: NumberArray.ofIntegers([Uint32Array.from(told?.predictors ?? [])]),
      networkWeights: NumberArray.ofFloats([new Float64Array(told?.predictors.length ?? 0).fill(1)]),
      gateIntercepts: NumberArray.ofFloats([new Float64Array(sums.gate)]),
      gateCounts: NumberArray.ofIntegers([new Uint32Array(sums.gate)]),
      gatePredictors: none,
      gateWeights: NumberArray.ofFloats([new Float64Array(0)]),
    });

  test('is read where its weights are of columns before', () => {
    const model = openModel(written([1, 2, 0], { network: 5, gate: 3 }), [sequenceCodec]) as SparnSequence;
    expect(model.intervals.map(({ first, end, components }) => [first, end, components])).toEqual([
      [0, 1, 1],
      [1, 3, 2],
    ]);
  });

  test.each([
    ['whose first columns are of no interval', written([0, 2, 0], { network: 4, gate: 2 })],
    ['with fewer intercepts than it says', written([1, 2, 0], { network: 4, gate: 3 })],
    [
      'with a column told by a later one',
      written([1, 1, 0], { network: 3, gate: 2 }, { counts: [0, 1, 0], predictors: [2] }),
    ],
  ])('%s is refused', (_, bytes) => {
    expect(() => openModel(bytes, [sequenceCodec])).toThrow(
      expect.objectContaining({ code: 'not-a-network-file' }) as Error,
    );
  });
});
