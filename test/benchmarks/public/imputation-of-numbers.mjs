// Numbers that are taken away and filled in by points: the root mean square error and the mean absolute error.
import { join } from 'node:path';
import { fillingPython } from './environment.mjs';
import { must, programs } from './orchard.mjs';
import { packageTables, sourceOf } from './package-tables.mjs';

/** Our points. */
const ours = ['mean', 'median'];

/** Methods of `imputation_of_numbers.py`; a new one is a function there and a name here. */
const peers = ['column mean', 'knn', 'ridge', 'extra trees', 'missforest', 'miceforest'];

/** Why cells are missing: by chance, by what other columns say, by their own value. */
export const maskKinds = ['mcar', 'mar', 'mnar'];

/** How many of the cells are missing, in per cent. */
export const USUAL_SHARE = 15;

export const imputationOfNumbers = {
  folder: 'tables',
  needsFolder: false,
  setsIn: packageTables,
  python: fillingPython,
  variant: ({ mask, share }) => (mask === maskKinds[0] && share === USUAL_SHARE ? '' : `-${mask}-${String(share)}`),

  measure(data, set, { seed, rows, train, mask, share, folder, ...how }) {
    const { orchard, ask, script } = programs(how);
    const at = (name) => join(folder, name);
    const source = sourceOf(data, set);
    const facts = must(script('imputation_of_numbers.py', 'mask', source, rows, seed, folder, mask, share / 100));
    const judge = (file) => must(script('imputation_of_numbers.py', 'judge', folder, at(file)));
    const figures = {};
    /** Points of a model of these rows; `before` is what it took to have them. @returns the seconds of medians */
    const measureOurs = (rowsToTrain, name, before) => {
      const run = at(`run-of-${rowsToTrain}`);
      const training = orchard('train', at(`${rowsToTrain}.csv`), '--out', run, '--seed', String(seed), ...train);
      must(training);
      const taken = ours.map((point) => {
        const out = at(`${name}-${point}.csv`);
        const filling = ask('complete', run, at('masked.csv'), '--point', point, '--seed', String(seed), '--out', out);
        must(filling);
        const seconds = before + training.processor + filling.processor;
        figures[`${name} ${point}`] = { ...judge(`${name}-${point}.csv`), seconds, filling: filling.processor };
        return seconds;
      });
      return taken[ours.indexOf('median')];
    };
    const seconds = measureOurs('masked', 'orchard', 0);
    // what OrchardImputer(refills=1) does
    measureOurs('orchard-median', 'refilled', seconds);
    for (const peer of peers) {
      const took = script('imputation_of_numbers.py', 'fill', folder, seed, peer, at('theirs.csv'));
      if (took.answer !== null) figures[peer] = { ...judge('theirs.csv'), seconds: took.processor };
    }
    return { ...facts, figures };
  },
};
