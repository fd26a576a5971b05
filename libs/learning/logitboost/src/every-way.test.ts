import { decisionOf, loadKernel, type Decision, type Kernel, type Target } from '@orchard/kernel';
import { equalEnsembles } from '@orchard/model/conformance/networks';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  boostedTrees,
  ensembleAfter,
  refitConditional,
  refitDecision,
  roundsOf,
  trainConditional,
  type BoostingOptions,
  type TrainedConditional,
} from './index.js';
import { arranged } from './splits.suite.js';

/** Three labels of a category, then columns that are mostly the exclusive or of the two before them, or chance. */
function rowsOf(count: number, seed: number): number[][] {
  const random = new RandomStream(seed, 50);
  return Array.from({ length: count }, () => {
    const label = random.below(3);
    const row: number[] = [0, 1, 2].map((own) => (own === label ? 1 : 0));
    for (let dim = 3; dim < 12; dim++)
      row.push(random.uniform() < 0.7 ? row[dim - 1]! ^ row[dim - 2]! : random.below(3) === 0 ? 1 : 0);
    return row;
  });
}
const splits = { train: rowsOf(300, 1), valid: rowsOf(120, 2), test: rowsOf(80, 3) };

const paper: BoostingOptions = {
  ...{ leaves: 6, rounds: 24, shrinkage: 0.1, start: 'half', seed: 7 },
  ...{ minLeafWeight: 0, maxLeafValue: Infinity, l2: 0, featureFraction: 1, patience: 0 },
};
const ours: BoostingOptions = {
  ...{ ...paper, start: 'base-rate' },
  ...{ minLeafWeight: 0.1, maxLeafValue: 2, l2: 0.3, featureFraction: 0.5, patience: 10 },
};
const few: BoostingOptions = { ...ours, featureFraction: 1, maxPredictors: 2 };
const natural = Uint32Array.from({ length: 12 }, (_, column) => column);

/** With the names of those that decisions are trained by too. */
const ways: readonly [string, BoostingOptions, 'decisions too' | 'columns alone'][] = [
  ['as in the paper', paper, 'decisions too'],
  ['with our regularisers', ours, 'decisions too'],
  ['on few features', { ...ours, featureFraction: 0.1, patience: 0 }, 'decisions too'],
  ['by gradients of first order', { ...ours, gradients: 'first', minLeafWeight: 12 }, 'decisions too'],
  ['on some of the rows', { ...ours, rowsPerTree: 90 }, 'decisions too'],
  ['on some of the rows, by first-order gradients', { ...ours, gradients: 'first', rowsPerTree: 150 }, 'decisions too'],
  ['on some of the rows with dropout', { ...ours, dropout: 0.2, rowsPerTree: 60 }, 'decisions too'],
  ['with dropout', { ...ours, dropout: 0.2 }, 'decisions too'],
  ['by first-order gradients with dropout', { ...ours, gradients: 'first', dropout: 0.2 }, 'decisions too'],
  ['as a single tree', { ...paper, leaves: 12, pseudoCount: 0.3 }, 'decisions too'],
  ['from a logistic start', { ...ours, start: 'logistic' }, 'columns alone'],
  ['from one with dropout', { ...ours, start: 'logistic', startPenalty: 2, dropout: 0.2 }, 'columns alone'],
  ['from exclusive columns', { ...ours, exclusive: natural }, 'columns alone'],
  ['on the likeliest predictors', few, 'columns alone'],
  ['on shares of these', { ...few, featureFraction: 0.5 }, 'columns alone'],
  ['on these and some of the rows', { ...few, rowsPerTree: 100 }, 'columns alone'],
  ['on these with dropout', { ...few, dropout: 0.3 }, 'columns alone'],
];

describe.each(ways)('training %s', (_, options, of) => {
  let kernel: Kernel;
  let reference: Kernel;
  const data = arranged(splits, options.rowsPerTree);
  const pooled = arranged(splits, options.rowsPerTree).pooled();
  /** The last column, of the rows whose column 5 is 1. */
  const labels = Uint8Array.from({ length: data.rowCount }, (__, row) => (data.bit(row, 5) ? data.bit(row, 11) : 2));
  const targets: Target[] = [0, 2, 11, ...(of === 'decisions too' ? [decisionOf(10, labels)] : [])];
  beforeAll(async () => {
    [kernel, reference] = [await loadKernel('wasm'), await loadKernel('reference')];
  });

  test('grows the same trees by both kernels, whatever had the memory before', () => {
    for (const target of targets) {
      const fast = trainConditional(kernel, data, target, options);
      const slow = trainConditional(reference, arranged(splits, options.rowsPerTree), target, options);
      expect(equalEnsembles(fast.ensemble, slow.ensemble)).toBe(true);
      fast.curves.valid!.forEach((value, round) => {
        expect(Math.abs(value / slow.curves.valid![round]! - 1)).toBeLessThan(1e-12);
      });
    }
  });

  test.skipIf(options.pseudoCount)('stopped and resumed, twice, ends in the same', () => {
    for (const target of targets) {
      const whole = trainConditional(kernel, data, target, options);
      let part = trainConditional(kernel, data, target, options, { untilRound: 0 });
      for (const untilRound of [1, 7]) {
        part = trainConditional(kernel, data, target, options, { resumeFrom: part, untilRound });
        expect([part.finished, part.curves.train.length]).toEqual([false, untilRound + 1]);
      }
      expect(trainConditional(kernel, data, target, options, { resumeFrom: part })).toEqual(whole);
    }
  });

  test.skipIf(options.pseudoCount)('refitted, stopped and resumed, ends in the same', () => {
    for (const target of targets.slice(1)) {
      const trained = trainConditional(kernel, data, target, options);
      const own = { ...options, startPenalty: trained.startPenalty };
      const trees = boostedTrees(trained, Math.min(20, roundsOf(trained)));
      const refits = typeof target === 'number' ? [refitConditional] : ([refitConditional, refitDecision] as const);
      for (const refit of refits) {
        const stoppedAfter = (most: number, resumeFrom?: TrainedConditional): TrainedConditional => {
          let asked = 0;
          const hooks = { cancelled: () => asked++ === most, ...(resumeFrom && { resumeFrom }) };
          return refit(kernel, pooled, target as Decision, trees, own, hooks);
        };
        const whole = stoppedAfter(Infinity);
        const part = stoppedAfter(4, stoppedAfter(3));
        expect([part.finished, roundsOf(part)]).toEqual([false, 7]);
        expect(stoppedAfter(Infinity, part)).toEqual(whole);
      }
    }
  });

  test('refitted on pooled rows keeps its splits; of fewer rounds it is a part of one of more', () => {
    for (const target of targets.slice(1)) {
      const trained = trainConditional(kernel, data, target, options);
      const own = { ...options, startPenalty: trained.startPenalty };
      const refit = (by: Kernel, rounds: number) =>
        refitConditional(by, pooled, target, boostedTrees(trained, rounds), own);
      const rounds = Math.min(11, roundsOf(trained));
      const [more, fewer] = [refit(kernel, rounds), refit(kernel, Math.min(5, rounds))];
      expect(boostedTrees(more, rounds).splitPredictor).toEqual(boostedTrees(trained, rounds).splitPredictor);
      expect([more.curves.train.length, more.curves.valid]).toEqual([rounds + 1, null]);
      if (target === 11)
        expect(equalEnsembles(ensembleAfter(more, rounds), ensembleAfter(trained, rounds))).toBe(false);
      for (const few of [0, 3, 5].filter((one) => one <= rounds))
        expect(equalEnsembles(ensembleAfter(more, few), ensembleAfter(fewer, few))).toBe(true);
      expect(equalEnsembles(more.ensemble, refit(reference, rounds).ensemble)).toBe(true);
      if (typeof target === 'number') continue;
      for (const few of [0, rounds]) {
        const alone = refitDecision(kernel, pooled, target, boostedTrees(trained, few), own);
        expect(equalEnsembles(alone.ensemble, refit(kernel, few).ensemble)).toBe(true);
      }
    }
  });
});
