import { BitMatrix } from '@orchard/dataset';
import { leafFactors, loadKernel, TrainingData } from '@orchard/kernel';
import { equalEnsembles } from '@orchard/model/conformance/networks';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { boostedTrees, trainConditional } from './index.js';
import type { BoostingOptions } from './index.js';
import { likelyPredictors } from './likely-predictors.js';
import { treesOf } from './trees.js';

const dimensions = 40;
const target = 39;
/**
 * The last column is 1 where most of columns 3, 17 and 30 are, and now and then otherwise; 4 to 6 are labels of which
 * one is 1.
 */
function rowsOf(count: number, seed: number): BitMatrix {
  const random = new RandomStream(seed, 62);
  return BitMatrix.fromRows(
    Array.from({ length: count }, () => {
      const row: number[] = Array.from({ length: dimensions }, () => (random.below(3) === 0 ? 1 : 0));
      const label = random.below(3);
      for (const own of [0, 1, 2]) row[4 + own] = own === label ? 1 : 0;
      const most = row[3]! + row[17]! + row[30]! > 1 ? 1 : 0;
      row[target] = random.below(10) === 0 ? 1 - most : most;
      return row;
    }),
  );
}
const splits = { train: rowsOf(500, 1), valid: rowsOf(200, 2), test: rowsOf(100, 3) };
const arrange = (): TrainingData => TrainingData.arrange(splits, { threads: 1, leaves: 4 });

const options: BoostingOptions = {
  ...{ leaves: 4, rounds: 20, shrinkage: 0.2, start: 'base-rate', seed: 3, maxPredictors: 8 },
  ...{ minLeafWeight: 0.1, maxLeafValue: 2, l2: 0.1, featureFraction: 1, patience: 0 },
};

describe('the predictors that tell most by themselves', () => {
  const none = new Uint32Array();

  it('are those that the target depends on, whether its ones or its zeros are rarer', () => {
    expect([...likelyPredictors(arrange(), target, 3, none)]).toEqual([3, 17, 30]);
    const inverted = BitMatrix.fromRows(
      Array.from({ length: 500 }, (_, row) =>
        Array.from({ length: dimensions }, (_, dim) => {
          const bit = (splits.train.bytes[row * splits.train.stride + (dim >> 3)]! >> (7 - (dim & 7))) & 1;
          return dim === target ? 1 - bit : bit;
        }),
      ),
    );
    const data = TrainingData.arrange({ train: inverted, valid: null, test: null }, { threads: 1, leaves: 4 });
    expect([...likelyPredictors(data, target, 3, none)]).toEqual([3, 17, 30]);
  });

  it('have those that are required among them, and of equal ones the earlier', () => {
    expect([...likelyPredictors(arrange(), target, 3, Uint32Array.of(0, 38))]).toHaveLength(3);
    expect([...likelyPredictors(arrange(), target, 3, Uint32Array.of(0, 38))]).toEqual(expect.arrayContaining([0, 38]));
    expect([...likelyPredictors(arrange(), target, 1, Uint32Array.of(7, 9, 11))]).toEqual([7, 9, 11]);
    const same = BitMatrix.fromRows(['00001', '11110', '00001', '11110']);
    const data = TrainingData.arrange({ train: same, valid: null, test: null }, { threads: 1, leaves: 2 });
    expect([...likelyPredictors(data, 4, 2, none)]).toEqual([0, 1]);
  });
});

describe('training that looks at some predictors alone', () => {
  it('grows the trees that the whole data would give under a mask', async () => {
    const seen = likelyPredictors(arrange(), target, 8, new Uint32Array());
    const allowed = new Uint8Array(target);
    for (const predictor of seen) allowed[predictor] = 1;
    const kernel = await loadKernel();
    const trained = trainConditional(kernel, arrange(), target, options);
    const { leaves, minLeafWeight, l2 } = options;
    const growth = { leaves, minLeafWeight, l2, startOdds: trained.ensemble.startOdds };
    const masked = kernel.conditional(arrange(), target, growth, true);
    for (const tree of treesOf(boostedTrees(trained, 20))) {
      const own = masked.grow(allowed);
      expect([own.splitLeaf, own.splitPredictor, own.splitGain]).toEqual([
        tree.splitLeaf,
        tree.splitPredictor,
        tree.splitGain,
      ]);
      masked.apply(leafFactors(own, options));
    }
    expect(trained.curves.valid![20]).toBeCloseTo(masked.logLikelihoods().valid, 9);
    expect(trained.curves.test![20]).toBeCloseTo(masked.logLikelihoods().test, 9);
  });

  it('is other training than on all, whose checkpoint it refuses', async () => {
    const kernel = await loadKernel();
    const own = { ...options, maxPredictors: 2 };
    const all = trainConditional(kernel, arrange(), target, { ...own, maxPredictors: undefined });
    expect(equalEnsembles(all.ensemble, trainConditional(kernel, arrange(), target, own).ensemble)).toBe(false);
    const resumeFrom = { ...all, finished: false };
    expect(() => trainConditional(kernel, arrange(), target, own, { resumeFrom })).toThrow(
      /one of the 2 positions that this conditional looks at/,
    );
  });

  it('changes nothing of a column that has no more predictors than it may look at', async () => {
    const kernel = await loadKernel();
    const narrow = trainConditional(kernel, arrange(), 8, options);
    const whole = trainConditional(kernel, arrange(), 8, { ...options, maxPredictors: undefined });
    expect(equalEnsembles(narrow.ensemble, whole.ensemble)).toBe(true);
  });

  it('goes on from what exclusive columns tell, which it sees whatever else it does', async () => {
    const kernel = await loadKernel();
    const exclusive = Uint32Array.from({ length: dimensions }, (_, column) => column);
    const own = { ...options, exclusive, maxPredictors: 1 };
    const trained = trainConditional(kernel, arrange(), 6, own);
    expect(trained.exclusiveChance).toBeGreaterThan(0);
    const predictors = new Set(trained.ensemble.splitPredictor);
    expect([...predictors].sort()).toEqual([4, 5]);
  });

  it('is trained again on pooled rows', async () => {
    const again = trainConditional(await loadKernel(), arrange().pooled(), target, options, { untilRound: 12 });
    expect([again.curves.train.length, again.curves.valid]).toEqual([13, null]);
  });

  it('is refused with a logistic start, and of no predictors', async () => {
    const kernel = await loadKernel();
    const train = (own: Partial<BoostingOptions>) => () =>
      trainConditional(kernel, arrange(), target, { ...options, ...own });
    expect(train({ start: 'logistic' })).toThrow(/Leave one of them out/);
    expect(train({ maxPredictors: 0 })).toThrow(/a whole number from 1 on/);
  });
});
