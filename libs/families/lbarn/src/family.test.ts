import type { RunWords } from '@orchard/contracts';
import { describeFamily } from '@orchard/pipeline/conformance';
import { categorySplits } from './categories.suite.js';
import { lbarn } from './lbarn.js';

const small: RunWords = { rounds: 4, leaves: 4 };
const foldsNeedRows = { skip: [{ test: 'few', reason: 'each fold needs a row' }] } as const;
/** A way of training whose tasks and artefacts are those of another one here. */
const variant = { nightly: 'half' } as const;
/** One that adds nothing to those but another setting of an option. */
const setting = { nightly: 'all' } as const;

describeFamily(lbarn, { rounds: 6, leaves: 4 });
describeFamily(lbarn, { ...small, select: 'common', refit: 'again' });
describeFamily(lbarn, { ...small, members: 2, folds: 3 }, foldsNeedRows);
describeFamily(lbarn, { ...small, gradients: 'first', start: 'logistic', dropout: 0.3 }, variant);
describeFamily(lbarn, { ...small, leaves: 'auto', featureFraction: 'auto', ordering: 'auto' });
describeFamily(lbarn, { ...small, leaves: 'auto', featureFraction: 'auto', maxPredictors: 2, dropout: 0.2 }, setting);
describeFamily(lbarn, { ...small, leaves: 'auto', rowsPerTree: 20 }, setting);
describeFamily(lbarn, { ...small, ordering: 'greedy' }, setting);
describeFamily(lbarn, { preset: 'paper', leaves: 'search', rounds: 10, shrinkage: 0.1, select: 'individual' }, setting);
describeFamily(lbarn, { preset: 'single-tree', leaves: 8, members: 2, folds: 2 }, { ...foldsNeedRows, ...setting });
describeFamily(
  lbarn,
  { ...small, leaves: 'auto', exclusive: 'found', members: 2, folds: 2, orderings: ['reversed', 'random'] },
  { rows: () => Promise.resolve(categorySplits()), ...foldsNeedRows, ...variant },
);
