// Outliers by ADBench's sets, in both of its protocols, beside detectors of pyod: AUROC and average precision.
import { join } from 'node:path';
import { tablesPython } from '../tables/environment.mjs';
import { compressedSets, must, programs } from './orchard.mjs';

/** Semi-supervised: half of the normal rows train, all other rows are judged. Unsupervised: all rows train, all are judged. */
export const protocols = ['semi', 'unsupervised'];

export const anomalies = {
  setsIn: compressedSets,
  python: tablesPython,

  /** Processor seconds and figures of each detector, by protocol. */
  measure(data, set, { seed, rows, model, folder, ...how }) {
    const { orchard, ask, script } = programs(how);
    const at = (name) => join(folder, name);
    const facts = must(script('anomalies.py', 'split', join(data, `${set}.csv.gz`), seed, rows, folder));
    // some kinds of models know no seed: the rows are drawn by it
    const words = model === null ? [] : ['--model', model];

    const training = orchard('train', at('semi-train.csv'), '--out', at('run'), '--no-report', ...words);
    must(training);
    const scoring = ask('evaluate', at('run'), at('semi-judged.csv'), '--per-row', at('semi-scores.csv'), '--top', '0');
    must(scoring);
    const finding = orchard(
      ...['outliers', at('unsupervised-judged.csv'), '--per-row', at('unsupervised-scores.csv')],
      ...['--count', '1', '--top', '0', '--seed', String(seed), ...words],
    );
    must(finding);
    const seconds = { semi: training.processor + scoring.processor, unsupervised: finding.processor };
    const judged = must(script('anomalies.py', 'judge', folder, seed));
    for (const protocol of protocols) judged[protocol].orchard.seconds = seconds[protocol];
    return { ...facts, ...judged };
  },
};
