import type { CountedRows, CountedSplits } from '@orchard/dataset';
import { Boosting, type WeakLearner } from '@orchard/density-boosting';
import { PairCounter } from '@orchard/forests';
import { untold } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import { Cutset } from './cutset-model.js';
import type { CutsetSpecification } from './cutset-run.js';
import { CutsetTree } from './cutset-tree.js';
import { learnCutset } from './learn-cutset.js';

/** Rounds without a gain on the validation rows after which no other comes. */
const WAITING = 10;
/** A round's model is fitted fewer times than this. */
const MOST_FITS = 128;

/** Boosted cutset networks (Rahman and Gogate, 2016): one a round, learned from rows drawn by their weights. */
export function boostCutsets(rows: CountedSplits, options: CutsetSpecification): Boosting<Cutset> {
  const { components, refits = 0 } = options;
  return new Boosting(rows, learnerOf(rows.train, options), { components, waiting: WAITING, refits });
}

function learnerOf({ distinct, counts }: CountedRows, options: CutsetSpecification): WeakLearner<Cutset> {
  const { seed } = options;
  const { dimensions, names, shape } = distinct;
  const counter = new PairCounter();
  const learn = (times: Uint32Array, round: number): Cutset => {
    const root = learnCutset(distinct, times, options, new RandomStream(seed, Purpose.condition, round - 1), counter);
    return new Cutset({ dimensions, names, shape, specification: null, likelihoods: untold }, new CutsetTree(root));
  };
  return {
    first: () => learn(Uint32Array.from(counts), 1),
    fit: (weights, { round, refit }) => {
      const stream = new RandomStream(seed, Purpose.bootstrap, round * MOST_FITS + refit);
      return learn(drawnByWeight(weights, stream.uniform()), round);
    },
  };
}

/**
 * As many rows as the weights sum to, drawn by them: each as often as its weight says, rounded up or down so that it is
 * so on average (systematic resampling). A network counts whole rows.
 *
 * @param offset from 0 to before 1
 */
export function drawnByWeight(weights: Float64Array, offset: number): Uint32Array {
  let sum = offset;
  return Uint32Array.from(weights, (weight) => {
    const before = Math.floor(sum);
    sum += weight;
    return Math.floor(sum) - before;
  });
}
