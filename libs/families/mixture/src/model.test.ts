import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { learnTrees } from '@orchard/em';
import { Forest } from '@orchard/forests';
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
import { ForestMixture, ForestMixtureModel, mixture, mixtureOfProducts } from './index.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;
const codecs = [mixture.codec];

/** Three products, one of which is rare. */
function ofProducts({ dimensions, names, shape }: Variables): ForestMixtureModel {
  const rates = Float64Array.from({ length: 3 * dimensions }, (_, at) => 0.15 + ((at * 5) % 8) / 10);
  const made = mixtureOfProducts(Float64Array.of(0.5, 0.4, 0.1), dimensions, rates);
  return new ForestMixtureModel({ dimensions, names, shape, ...nothing }, made);
}

/** A chain, a star, and one without edges. */
function ofTrees({ dimensions, names, shape }: Variables): ForestMixtureModel {
  const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
  const forest = (parentOf: (column: number) => number, shift: number): Forest => {
    const parents = Int32Array.from(columns, parentOf);
    const rates = Float64Array.from({ length: 2 * dimensions }, (_, at) =>
      parents[at >> 1]! < 0 ? 0.3 + ((at >> 1) % 5) / 10 : 0.2 + ((at * 7 + shift) % 6) / 10,
    );
    return new Forest(columns, parents, rates);
  };
  const components = [
    forest((column) => column - 1, 0),
    forest((column) => (column === 0 ? -1 : 0), 3),
    forest(() => -1, 1),
  ];
  const made = new ForestMixture(Float64Array.of(0.25, 0.25, 0.5), components);
  return new ForestMixtureModel({ dimensions, names, shape, ...nothing }, made);
}

/** Trees that EM finds in draws of those above. */
function ofLearnedTrees(variables: Variables): ForestMixtureModel {
  const rows = attachRows(shareRows(ofTrees(variables).sample(1500, 3)));
  const options = { components: 3, pseudoCount: 0.5, steps: 10, isFromProducts: false };
  const { weights, forests } = learnTrees(rows, rows, options, new RandomStream(2, 1025))!.mixture;
  return new ForestMixtureModel({ ...variables, ...nothing }, new ForestMixture(weights, forests));
}

describeDensityModel('a mixture of products', { codec: mixture.codec, make: ofProducts });
describeDensityModel('a mixture of trees', { codec: mixture.codec, make: ofTrees });

describeDensityModel('a mixture of trees that EM found', { codec: mixture.codec, make: ofLearnedTrees });

test('a mixture is no model that finds the most probable row: no pass does', () => {
  const model = ofTrees({ dimensions: 6, names: null, shape: null });
  expect([isExact(model), isMostProbable(model)]).toEqual([true, false]);
  expect(model.summary().facts.at(-1)![1]).toContain('not the most probable completion');
});

test('a mixture with components that cannot be given a row is told by the others', () => {
  const rates = new Float64Array(3000).fill(0.001);
  rates.fill(0.999, 1500);
  const model = new ForestMixtureModel(
    { dimensions: 1500, names: null, shape: null, ...nothing },
    mixtureOfProducts(Float64Array.of(0.5, 0.5), 1500, rates),
  );
  const row = BitMatrix.fromRows(['1'.repeat(1500)]);
  const expected = Math.log(0.5) + 1500 * Math.log(0.999);
  expect(model.logLikelihood(row)[0]).toBeCloseTo(expected, 9);
  const { rates: told, logEvidence } = model.marginals(row, BitMatrix.fromRows(['1'.repeat(1000) + '0'.repeat(500)]));
  expect(logEvidence[0]).toBeCloseTo(Math.log(0.5) + 1000 * Math.log(0.999), 9);
  expect(told[1499]).toBeCloseTo(0.999, 12);
});

test('a row is as likely alone as among thousands', () => {
  const model = ofProducts({ dimensions: 11, names: null, shape: null });
  const many = model.sample(2500, 1);
  const together = model.logLikelihood(many);
  for (const row of [0, 3, 1023, 1024, 2047, 2048, 2499])
    expect(model.logLikelihood(many.selectRows([row]))[0]).toBe(together[row]);
});

test('a row of which nothing is known is told the same before and after others', () => {
  const variables = { dimensions: 10, names: null, shape: null };
  const holes = BitMatrix.fromRows(['0000000000', '0110010110', '0000000000', '1000000001']);
  const known = BitMatrix.fromRows(['0000000000', '1111100000', '0000000000', '1000000001']);
  const asked = ofTrees(variables);
  const together = asked.marginals(holes, known);
  for (let row = 0; row < holes.rows; row++) {
    const alone = ofTrees(variables).marginals(holes.selectRows([row]), known.selectRows([row]));
    expect([...alone.rates]).toEqual([...together.rates.subarray(10 * row, 10 * row + 10)]);
    expect(alone.logEvidence[0]).toBe(together.logEvidence[row]);
  }
  expect(asked.sample(20, 1).bytes).toEqual(ofTrees(variables).sample(20, 1).bytes);
});

describe('a model file', () => {
  const { head } = readModelFile(ofProducts({ dimensions: 3, names: null, shape: null }).toBytes());
  const written = (weights: number[], rate: number, parents: number[] = [], bytes?: Uint8Array): Uint8Array =>
    writeModelFile(head, {
      weights: bytes === undefined ? NumberArray.ofFloats([Float64Array.from(weights)]) : NumberArray.ofBytes(bytes),
      rates: NumberArray.ofFloats([new Float64Array((parents.length > 0 ? 2 : 1) * 3 * weights.length).fill(rate)]),
      parents: NumberArray.ofIntegers([Uint32Array.from(parents)]),
    });

  test('is read where it is a mixture', () => {
    expect(openModel(written([0.5, 0.5], 0.5), codecs).summary().facts[0]![1]).toBe(
      'a mixture of 2 products of columns',
    );
    expect(openModel(written([1], 0.5, [0, 1, 1]), codecs).summary().facts[0]![1]).toBe(
      'one of trees of columns, 2 edges in all',
    );
  });

  test.each([
    ['whose weights do not sum to 1', written([0.5, 0.4], 0.5)],
    ['with a weight of 0', written([1, 0], 0.5)],
    ['without a component', written([], 0.5)],
    ['with a rate of 1', written([1], 1)],
    ['with weights that are no numbers', written([1], 0.5, [], new Uint8Array(9))],
    ['whose parents go round', written([1], 0.5, [2, 1, 1])],
    ['with parents of half the components', written([0.5, 0.5], 0.5, [0, 1, 1])],
  ])('%s is refused', (_, bytes) => {
    expect(() => openModel(bytes, codecs)).toThrow(expect.objectContaining({ code: 'not-a-network-file' }) as Error);
  });
});

test('a value of a mixture of products is as likely as the rest of its row says, by Bayes', () => {
  const model = ofProducts({ dimensions: 4, names: null, shape: null });
  const rows = BitMatrix.fromRows(Array.from({ length: 16 }, (_, row) => row.toString(2).padStart(4, '0')));
  const p = model.logLikelihood(rows).map(Math.exp);
  const rates = model.valueRates(rows);
  for (let row = 0; row < 16; row++)
    for (let column = 0; column < 4; column++) {
      const bit = 8 >> column;
      expect(rates[row * 4 + column]).toBeCloseTo(p[row | bit]! / (p[row | bit]! + p[row & ~bit]!), 12);
    }
});
