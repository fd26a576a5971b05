// One column given all others, by one model of all columns, beside models that were made for that column alone: labels
// beside classifiers, numbers beside forecasts of a distribution.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { predictingPython } from './environment.mjs';
import { must, programs } from './orchard.mjs';

/** Of packages: `package_tables.py` writes them. */
const ofPackages = {
  iris: { source: 'iris + species', target: 'species' },
  wine: { source: 'wine + cultivar', target: 'cultivar' },
  'breast-cancer': { source: 'breast-cancer + diagnosis', target: 'diagnosis' },
  cars: { source: 'cars', target: 'Origin' },
  'seattle-weather': { source: 'seattle-weather', target: 'weather' },
  'diabetes-progression': { source: 'diabetes + progression', target: 'progression', isNumber: true },
  'cars-miles': { source: 'cars', target: 'Miles_per_Gallon', isNumber: true },
};

/** Files of the data folder. */
const ofFolder = {
  males: { source: 'tables/males.csv', target: 'union' },
  hi: { source: 'tables/hi.csv', target: 'hhi' },
  diamonds: { source: 'tables/diamonds.csv', target: 'cut' },
  shoppers: { source: 'public/samples/shoppers/train.csv.gz', target: 'Revenue' },
  default: { source: 'public/samples/default/train.csv.gz', target: 'default.payment.next.month' },
  'males-wage': { source: 'tables/males.csv', target: 'wage', isNumber: true },
  'hi-hours': { source: 'tables/hi.csv', target: 'whrswk', isNumber: true },
  'diamonds-price': { source: 'tables/diamonds.csv', target: 'price', isNumber: true },
};

/** Methods of `one_column.py`; a new one is a function there and a name here. */
const peers = {
  labels: ['lightgbm', 'random forest', 'catboost'],
  numbers: ['ngboost', 'quantile forest'],
};

export const oneColumn = {
  folder: '.',
  needsFolder: false,
  setsIn: (folder) => [
    ...Object.keys(ofPackages),
    ...Object.keys(ofFolder).filter((set) => folder !== null && existsSync(join(folder, ofFolder[set].source))),
  ],
  python: predictingPython,

  /** Scores of each method on the held-out rows, as `orchard evaluate --target` defines them, and its seconds. */
  measure(data, set, { seed, rows, train, folder, ...how }) {
    const { orchard, ask, script } = programs(how);
    const at = (name) => join(folder, name);
    const { source, target, isNumber = false } = ofPackages[set] ?? ofFolder[set];
    const from = set in ofFolder ? join(data, source) : source;
    const facts = must(script('one_column.py', 'split', from, target, rows, seed, folder));
    const training = orchard(
      'train',
      at('train.csv'),
      '--out',
      at('run'),
      '--seed',
      String(seed),
      '--no-report',
      ...train,
    );
    must(training);
    const asking = ask('evaluate', at('run'), at('test.csv'), '--target', target, '--top', '0');
    const { logScore, numbers, labels } = must(asking).target;
    const seconds = training.processor + asking.processor;
    const own = isNumber
      ? { crps: numbers.crps, logScore }
      : { logLoss: -logScore, brier: labels.brier, accuracy: labels.accuracy };
    const figures = { orchard: { ...own, seconds } };
    for (const peer of peers[isNumber ? 'numbers' : 'labels']) {
      const took = script('one_column.py', 'predict', folder, target, seed, peer);
      if (took.answer !== null) figures[peer] = { ...JSON.parse(took.answer), seconds: took.processor };
    }
    return { ...facts, figures };
  },
};
