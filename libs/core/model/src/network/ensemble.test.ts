import { describe, expect, it } from 'vitest';
import {
  EnsembleBuilder,
  concatenateTrees,
  emptyEnsemble,
  prefixOfTrees,
  treeCount,
  validateEnsemble,
  type Ensemble,
} from './ensemble.js';
import { equalEnsembles } from './random-network.suite.js';
import { refusal } from '../refusal.suite.js';

const stump = { splitLeaf: [0], splitPredictor: [1], splitGain: [2.5], leafFactor: [0.5, 2] };
const single = { splitLeaf: [], splitPredictor: [], splitGain: [], leafFactor: [1.25] };
const three = { splitLeaf: [0, 1], splitPredictor: [0, 1], splitGain: [3, 1], leafFactor: [0.9, 1, 1.1] };

function built(...trees: (typeof stump)[]): Ensemble {
  const builder = new EnsembleBuilder(1);
  for (const tree of trees) builder.push(tree);
  return builder.build();
}

describe('an ensemble', () => {
  it('holds the pushed trees after each other', () => {
    const ensemble = built(stump, single, three);
    expect(ensemble.leafCounts).toEqual(Uint32Array.of(2, 1, 3));
    expect(ensemble.splitLeaf).toEqual(Uint32Array.of(0, 0, 1));
    expect(ensemble.splitPredictor).toEqual(Uint32Array.of(1, 0, 1));
    expect(ensemble.leafFactor).toEqual(Float64Array.of(0.5, 2, 1.25, 0.9, 1, 1.1));
    expect(treeCount(ensemble)).toBe(3);
  });

  it('does not change when its builder goes on', () => {
    const builder = new EnsembleBuilder(1);
    builder.push(stump);
    const before = builder.build();
    for (let tree = 0; tree < 3000; tree++) builder.push(three);
    expect(equalEnsembles(before, built(stump))).toBe(true);
    expect(treeCount(builder.build())).toBe(3001);
  });

  it('goes on from a checkpoint to what an undisturbed builder makes', () => {
    const resumed = new EnsembleBuilder(1, built(stump, single));
    resumed.push(three);
    expect(resumed.trees).toBe(3);
    expect(equalEnsembles(resumed.build(), built(stump, single, three))).toBe(true);
  });

  it('is its prefix and the rest, joined', () => {
    const whole = built(stump, single, three);
    for (let trees = 0; trees <= 3; trees++) {
      const prefix = prefixOfTrees(whole, trees);
      expect(equalEnsembles(prefix, built(...[stump, single, three].slice(0, trees)))).toBe(true);
      const rest = built(...[stump, single, three].slice(trees));
      expect(equalEnsembles(concatenateTrees(prefix, rest), whole)).toBe(true);
    }
    expect(refusal(() => prefixOfTrees(whole, 4)).code).toBe('invalid-argument');
    expect(refusal(() => concatenateTrees(whole, emptyEnsemble(2))).code).toBe('invalid-argument');
  });

  it('refuses a pushed tree whose arrays do not fit each other', () => {
    const builder = new EnsembleBuilder(1);
    expect(refusal(() => builder.push({ ...stump, splitGain: [] })).code).toBe('invalid-ensemble');
    expect(refusal(() => builder.push({ ...single, leafFactor: [] })).where).toBe('tree 0');
  });
});

describe('validation of an ensemble', () => {
  const whole = built(stump, three);

  it('accepts what is consistent, from the first position that comes after its predictors', () => {
    validateEnsemble(whole, 2);
    validateEnsemble(emptyEnsemble(1), 0);
  });

  const wrong: [string, Partial<Ensemble>][] = [
    ['a predictor at the position of the conditional', { splitPredictor: Uint32Array.of(1, 2, 1) }],
    ['a split of a leaf that does not exist yet', { splitLeaf: Uint32Array.of(1, 0, 1) }],
    ['too few splits', { splitLeaf: Uint32Array.of(0, 0) }],
    ['too few gains', { splitGain: Float64Array.of(1) }],
    ['too few factors', { leafFactor: Float64Array.of(1, 1, 1, 1) }],
    ['a tree without leaves', { leafCounts: Uint32Array.of(0, 5) }],
    ['a factor of zero', { leafFactor: Float64Array.of(1, 0, 1, 1, 1) }],
    ['a negative factor', { leafFactor: Float64Array.of(1, -1, 1, 1, 1) }],
    ['an infinite factor', { leafFactor: Float64Array.of(1, Infinity, 1, 1, 1) }],
    ['a factor that is no number', { leafFactor: Float64Array.of(1, NaN, 1, 1, 1) }],
    ['a negative gain', { splitGain: Float64Array.of(1, -1, 1) }],
    ['an infinite gain', { splitGain: Float64Array.of(1, Infinity, 1) }],
    ['start odds of zero', { startOdds: 0 }],
    ['start odds that are no number', { startOdds: NaN }],
  ];
  it.each(wrong)('refuses %s', (_, change) => {
    const error = refusal(() => validateEnsemble({ ...whole, ...change }, 2));
    expect(error.code).toBe('invalid-ensemble');
    expect(error.where).toContain('position 2');
    expect(error.message).toContain(error.remedy);
  });
});
