import type { CountedRows } from '@orchard/dataset';
import type { BoostedSpecification } from '../boosted-run.js';
import type { WeakLearner } from '../weak-learner.js';
import { BayesianNetwork } from './bayesian-network.js';
import { NetworkLearner } from './learn-network.js';

/** Bayesian networks of few edges, as in the paper. */
export function networkLearner(train: CountedRows, options: BoostedSpecification): WeakLearner {
  const { dimensions } = train.distinct;
  const { parents, edges, pseudoCount } = options;
  if (parents === undefined || edges === undefined) throw new Error('a run of networks says their parents and edges');
  const learner = new NetworkLearner(train, { parents, edges, pseudoCount });
  return {
    first: (head) => new BayesianNetwork(head, learner.learn(train.counts)),
    fit: (weights, head) => new BayesianNetwork(head, learner.learn(weights)),
    uniform: (head) => {
      const none = Array.from({ length: dimensions }, () => new Uint32Array());
      return new BayesianNetwork(head, { parents: none, rates: none.map(() => Float64Array.of(0.5)) });
    },
  };
}
