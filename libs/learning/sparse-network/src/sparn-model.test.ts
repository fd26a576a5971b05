import { BitMatrix } from '@orchard/dataset';
import { NumberArray, openModel, readModelFile, writeModelFile, type Variables } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { describe, expect, test } from 'vitest';
import { Sparn, sparnCodec } from './sparn-model.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;

/** Each column by those one and three before it. */
function made({ dimensions, names, shape }: Variables): Sparn {
  const starts = new Uint32Array(dimensions + 1);
  const predictors: number[] = [];
  for (let column = 0; column < dimensions; column++) {
    for (const distance of [3, 1]) if (column >= distance) predictors.push(column - distance);
    starts[column + 1] = predictors.length;
  }
  const sparse = {
    intercepts: Float64Array.from({ length: dimensions }, (_, column) => ((column * 3) % 5) / 4 - 0.5),
    starts,
    predictors: Uint32Array.from(predictors),
    weights: Float64Array.from(predictors, (_, at) => ((at * 5) % 7) / 8 - 0.4),
  };
  return new Sparn({ dimensions, names, shape, ...nothing }, sparse);
}

describeDensityModel('a sparse autoregressive network', { codec: sparnCodec, make: made });

describe('a sparse autoregressive network', () => {
  const model = made({ dimensions: 5, names: null, shape: null });
  const { intercepts, starts, predictors, weights } = model.sparse;

  test('tells each column by the weights times ±1 of those before it', () => {
    for (let number = 0; number < 32; number++) {
      const row = BitMatrix.fromRows([number.toString(2).padStart(5, '0')]);
      let sum = 0;
      for (let column = 0; column < 5; column++) {
        let odds = intercepts[column]!;
        for (let at = starts[column]!; at < starts[column + 1]!; at++)
          odds += weights[at]! * (2 * row.get(0, predictors[at]!) - 1);
        sum -= Math.log1p(Math.exp((1 - 2 * row.get(0, column)) * odds));
      }
      expect(model.logLikelihood(row)[0]).toBeCloseTo(sum, 12);
    }
  });

  test('explains a column by the sizes of its weights', () => {
    const own = weights.subarray(starts[4], starts[5]);
    const total = Math.abs(own[0]!) + Math.abs(own[1]!);
    expect([...model.importanceOf(4)]).toEqual([0, Math.abs(own[0]!) / total, 0, Math.abs(own[1]!) / total, 0]);
    expect([...model.irrelevantVariables()]).toEqual([4]);
    expect(model.summary().facts[1]).toEqual([
      'weights',
      '6 that are not 0, 60.0 % of all pairs of columns; 1.2 a column',
    ]);
  });

  test('counts with odds that are out of all reach', () => {
    const sure = new Sparn(
      { dimensions: 1, names: null, shape: null, ...nothing },
      {
        intercepts: Float64Array.of(5000),
        starts: Uint32Array.of(0, 0),
        predictors: new Uint32Array(0),
        weights: new Float64Array(0),
      },
    );
    const logs = sure.logLikelihood(BitMatrix.fromRows(['1', '0']));
    expect(logs[0]).toBeCloseTo(0, 12);
    expect(logs[1]).toBeCloseTo(-900 * Math.LN2, 6);
  });
});

describe('a model file', () => {
  const { head } = readModelFile(made({ dimensions: 3, names: null, shape: null }).toBytes());
  const written = (counts: number[], predictors: number[], weights: number[], intercepts = [0, 0, 0]): Uint8Array =>
    writeModelFile(head, {
      intercepts: NumberArray.ofFloats([Float64Array.from(intercepts)]),
      counts: NumberArray.ofIntegers([Uint32Array.from(counts)]),
      predictors: NumberArray.ofIntegers([Uint32Array.from(predictors)]),
      weights: NumberArray.ofFloats([Float64Array.from(weights)]),
    });

  test('is read where its weights are of columns before', () => {
    const model = openModel(written([0, 1, 2], [0, 0, 1], [1, 2, 3]), [sparnCodec]) as Sparn;
    expect([...model.sparse.starts]).toEqual([0, 0, 1, 3]);
  });

  test.each([
    ['with a column that tells itself', written([0, 1, 0], [1], [1])],
    ['with a column told twice by another', written([0, 0, 2], [1, 1], [1, 1])],
    ['with a weight that is not a number', written([0, 1, 0], [0], [NaN])],
    ['with an infinite intercept', written([0, 0, 0], [], [], [0, Infinity, 0])],
    ['with fewer weights than it says', written([0, 1, 1], [0], [1])],
    ['of two columns', written([0, 1], [0], [1])],
  ])('%s is refused', (_, bytes) => {
    expect(() => openModel(bytes, [sparnCodec])).toThrow(
      expect.objectContaining({ code: 'not-a-network-file' }) as Error,
    );
  });
});
