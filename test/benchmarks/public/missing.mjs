// Missing values as ForestDiffusion and UnmaskingTrees measure them: 20 % of the cells at random, a mask for each seed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillingPython } from './environment.mjs';
import { compressedSets, must, programs } from './orchard.mjs';
import { argv } from '../../../infra/command-line.mjs';

/** Fills that each method makes: the best of them and their mean are compared with the truth. */
const FILLS = 5;

/** Our fills of one model: five samples, or one point that counts as five. */
const ours = { 'orchard samples': ['--draws', String(FILLS)], 'orchard median': ['--point', 'median'] };

/** Methods of `missing.py`; a new one is a function there and a name here. */
const peers = ['mean', 'knn', 'iterative', 'missforest', 'miceforest', 'utrees'];

export const missing = {
  folder: 'public/missing',
  setsIn: compressedSets,
  python: fillingPython,

  measure(data, set, { seed, train, folder, ...how }) {
    const { orchard, ask, script } = programs(how);
    const at = (name) => join(folder, name);
    const columns = JSON.parse(readFileSync(join(data, 'columns.json'), 'utf8'))[set] ?? {
      categorical: [],
      binary: [],
    };
    const labels = JSON.stringify([...columns.categorical, ...columns.binary]);
    const facts = must(script('missing.py', 'mask', join(data, `${set}.csv.gz`), seed, folder));
    const judge = (file) => must(script('missing.py', 'judge', folder, labels, at(file)));
    const training = orchard('train', at('masked.csv'), '--out', at('run'), '--seed', String(seed), ...train);
    must(training);
    const figures = {};
    for (const [name, ways] of Object.entries(ours)) {
      const filling = ask(
        ...argv`complete ${at('run')} ${at('masked.csv')} ${ways} --seed ${seed}
        --out ${at('ours.csv')}`,
      );
      must(filling);
      figures[name] = { ...judge('ours.csv'), seconds: training.processor + filling.processor };
    }
    for (const peer of peers) {
      const took = script('missing.py', 'fill', folder, labels, seed, FILLS, peer, at(`${peer}.csv`));
      if (took.answer !== null) figures[peer] = { ...judge(`${peer}.csv`), seconds: took.processor };
    }
    return { ...facts, figures };
  },
};
