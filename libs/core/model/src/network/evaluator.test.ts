import { RandomStream } from '@orchard/numerics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnsembleBuilder, type Ensemble } from './ensemble.js';
import { Evaluator } from './evaluator.js';
import { randomEnsemble, randomMatrix, replayedOdds } from './random-network.suite.js';
import { walkTrees } from './tree-walk.js';

const natural = (length: number): Uint32Array => Uint32Array.from({ length }, (_, index) => index);

/** Whether walking and the bit-parallel way both give the bits that replaying the splits gives. */
function agree(ensemble: Ensemble, dimensions: number, rows: number, seed: number): void {
  const matrix = randomMatrix(rows, dimensions + 1, seed);
  const evaluator = new Evaluator();
  const columns = evaluator.transposed(matrix, natural(dimensions + 1), 0, rows, natural(rows));
  const ensembles = Array.from({ length: dimensions + 1 }, () => ensemble);
  const parts = { ordering: natural(dimensions + 1), ensembles } as never;
  const expected = Float64Array.from(natural(rows), (row) => replayedOdds(parts, dimensions, matrix, row));
  const odds = new Float64Array(rows);
  evaluator.odds(ensemble, columns, rows, odds);
  expect(odds).toEqual(expected);
  odds.fill(ensemble.startOdds);
  walkTrees(ensemble, columns, rows, odds);
  expect(odds).toEqual(expected);
}

describe('the evaluator of many rows', () => {
  it('gives the bits of the definition on trees of every form', () => {
    const sizes = fc.record({
      dimensions: fc.integer({ min: 1, max: 70 }),
      trees: fc.integer({ min: 1, max: 11 }),
      leaves: fc.constantFrom(1, 2, 3, 5, 8, 16, 31, 64, 128, 200),
      lopsided: fc.constantFrom(0, 0.3, 0.8, 0.97, 1),
      rows: fc.constantFrom(1, 9, 31, 64, 192, 193, 256, 500, 1023, 1024, 1100, 2100),
      seed: fc.integer({ min: 0, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(sizes, ({ rows, seed, ...options }) => {
        const ensemble = randomEnsemble(new RandomStream(seed, 5), options.dimensions, { ...options, seed });
        agree(ensemble, options.dimensions, rows, seed);
      }),
      { numRuns: 120 },
    );
  });

  it('gives the same bits where odds run into their limits', () => {
    const options = { dimensions: 6, trees: 40, leaves: 8, seed: 1, strongest: 2 ** 250 };
    for (let seed = 0; seed < 10; seed++) agree(randomEnsemble(new RandomStream(seed, 6), 6, options), 6, 300, seed);
  });

  it('handles trees of the most leaves that a code holds, and of more', () => {
    for (const leaves of [256, 257, 400]) {
      for (const chain of [true, false]) {
        const builder = new EnsembleBuilder(1);
        const splits = leaves - 1;
        const stream = new RandomStream(leaves, 7);
        const splitLeaf = Array.from({ length: splits }, (_, split) => (chain ? split : stream.below(split + 1)));
        builder.push({
          splitLeaf,
          splitPredictor: Array.from({ length: splits }, () => stream.below(40)),
          splitGain: new Float64Array(splits),
          leafFactor: Float64Array.from({ length: leaves }, () => 0.5 + stream.uniform()),
        });
        agree(builder.build(), 40, 700, leaves);
      }
    }
  });

  it('gives the same bits where an ensemble is handed over in parts', () => {
    const options = { dimensions: 40, trees: 180, leaves: 250, seed: 5, strongest: 1.5 };
    const ensemble = randomEnsemble(new RandomStream(5, 6), 40, options);
    expect(ensemble.leafFactor.length).toBeGreaterThan(16_384); // what the module takes at a time
    agree(ensemble, 40, 520, 5);
  });

  it('turns any rows of a block into columns of positions', () => {
    const matrix = randomMatrix(700, 77, 9);
    const ordering = natural(77).map((position) => (position * 5 + 3) % 77);
    const order = Uint32Array.from({ length: 333 }, (_, row) => (row * 17) % 600);
    const { words, stride } = new Evaluator().transposed(matrix, ordering, 100, 600, order, 60);
    for (let position = 0; position < 60; position++) {
      const bits = [...order.keys()].map((row) => (words[position * stride + (row >> 5)]! >>> (row & 31)) & 1);
      expect(bits).toEqual(Array.from(order, (row) => matrix.get(100 + row, ordering[position]!)));
    }
  });

  it('gives a row the same bits in any company', () => {
    const ensemble = randomEnsemble(new RandomStream(3, 8), 30, { dimensions: 30, trees: 30, leaves: 32, seed: 3 });
    const matrix = randomMatrix(3000, 31, 4);
    const all = new Float64Array(3000);
    const evaluator = new Evaluator();
    evaluator.odds(ensemble, evaluator.transposed(matrix, natural(31), 0, 3000, natural(3000)), 3000, all);
    const some = natural(3000).filter((row) => row % 7 === 3);
    const few = new Float64Array(some.length);
    evaluator.odds(ensemble, evaluator.transposed(matrix, natural(31), 0, 3000, some), some.length, few);
    expect(few).toEqual(Float64Array.from(some, (row) => all[row]!));
  });
});
