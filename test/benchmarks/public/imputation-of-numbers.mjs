// Numbers that are taken away and filled in by points: the root mean square error and the mean absolute error.
import { join } from 'node:path';
import { fillingPython } from './environment.mjs';
import { must, programs } from './orchard.mjs';
import { packageTables, sourceOf } from './package-tables.mjs';

/** Our points, of one model. */
const ours = ['mean', 'median'];

/** Methods of `imputation_of_numbers.py`; a new one is a function there and a name here. */
const peers = ['column mean', 'knn', 'ridge', 'extra trees', 'missforest', 'miceforest'];

export const imputationOfNumbers = {
  folder: 'tables',
  needsFolder: false,
  setsIn: packageTables,
  python: fillingPython,

  measure(data, set, { seed, rows, train, folder, ...how }) {
    const { orchard, ask, script } = programs(how);
    const at = (name) => join(folder, name);
    const facts = must(script('imputation_of_numbers.py', 'mask', sourceOf(data, set), rows, seed, folder));
    const judge = (file) => must(script('imputation_of_numbers.py', 'judge', folder, at(file)));
    const training = orchard('train', at('masked.csv'), '--out', at('run'), '--seed', String(seed), ...train);
    must(training);
    const figures = {};
    for (const point of ours) {
      const words = ['--point', point, '--seed', String(seed), '--out', at('ours.csv')];
      const filling = ask('complete', at('run'), at('masked.csv'), ...words);
      must(filling);
      figures[`orchard ${point}`] = {
        ...judge('ours.csv'),
        seconds: training.processor + filling.processor,
        filling: filling.processor,
      };
    }
    for (const peer of peers) {
      const took = script('imputation_of_numbers.py', 'fill', folder, seed, peer, at('theirs.csv'));
      if (took.answer !== null) figures[peer] = { ...judge('theirs.csv'), seconds: took.processor };
    }
    return { ...facts, figures };
  },
};
