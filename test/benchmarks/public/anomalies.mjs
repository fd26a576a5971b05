// Outliers by ADBench's sets, in both of its protocols, beside detectors of pyod: AUROC and average precision.
import { join } from 'node:path';
import { tablesPython } from '../tables/environment.mjs';
import { compressedSets, must, programs } from './orchard.mjs';

/**
 * Semi-supervised: half of the normal rows train, all other rows are judged. Unsupervised: all rows train, all are
 * judged.
 */
export const protocols = ['semi', 'unsupervised'];

/**
 * The sets by which sizes of small models, and whatever else is to be chosen, are chosen. All others choose nothing:
 * they alone are quoted.
 */
export const choosing = [
  ...['Ionosphere', 'PageBlocks', 'Stamps', 'Wilt', 'cardio', 'glass', 'magic.gamma', 'shuttle', 'vowels'],
];

/** Among `--models`: what a command chooses by itself. */
export const OWN_CHOICE = 'own';

export const anomalies = {
  folder: 'public/anomalies',
  setsIn: compressedSets,
  python: tablesPython,

  /** Processor seconds and figures of each detector, by protocol. */
  measure(data, set, { seed, rows, models, folder, ...how }) {
    const { orchard, ask, script } = programs(how);
    const at = (name) => join(folder, name);
    const facts = must(script('anomalies.py', 'split', join(data, `${set}.csv.gz`), seed, rows, folder));
    // by detector
    const seconds = { semi: {}, unsupervised: {} };
    for (const model of models) {
      const name = model === OWN_CHOICE ? 'orchard' : `orchard ${model}`;
      // some kinds of models know no seed: the rows are drawn by it
      const words = model === OWN_CHOICE ? [] : ['--model', model];
      const training = orchard('train', at('semi-train.csv'), '--out', at(`run-${model}`), '--no-report', ...words);
      must(training);
      const scores = (protocol) => ['--per-row', at(`${protocol}-scores-${name}.csv`), '--top', '0'];
      const scoring = ask('evaluate', at(`run-${model}`), at('semi-judged.csv'), ...scores('semi'));
      must(scoring);
      seconds.semi[name] = training.processor + scoring.processor;
      const finding = orchard(
        ...['outliers', at('unsupervised-judged.csv'), '--count', '1', '--seed', String(seed)],
        ...[...scores('unsupervised'), ...words],
      );
      seconds.unsupervised[name] = finding.processor;
      must(finding);
    }
    const judged = must(script('anomalies.py', 'judge', folder, seed));
    for (const protocol of protocols)
      for (const [name, took] of Object.entries(seconds[protocol])) judged[protocol][name].seconds = took;
    return { ...facts, ...judged };
  },
};
