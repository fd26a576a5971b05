// Whether the default is likelier on held-out rows than what takes a tenth of its time, and than four members of itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillingPython } from './environment.mjs';
import { must, programs } from './orchard.mjs';
import { packageTables, sourceOf } from './package-tables.mjs';

/** Our models, by the options that train them. */
const ours = {
  default: [],
  'four members': ['--members', '4'],
  'chow-liu': ['--model', 'chow-liu'],
  marginals: ['--model', 'marginals'],
};

export const neverBehind = {
  folder: 'tables',
  needsFolder: false,
  setsIn: packageTables,
  python: fillingPython,

  /** Of each model nats per held-out row, and how many more than the default's, with its standard error. */
  measure(data, set, { seed, rows, train, folder, ...how }) {
    const { orchard, ask, script } = programs(how);
    const at = (name) => join(folder, name);
    const facts = must(script('never_behind.py', 'split', sourceOf(data, set), rows, seed, folder));
    const nats = {};
    const seconds = {};
    for (const [name, words] of Object.entries(ours)) {
      // the other two draw nothing, and refuse a seed
      const isTrees = name === 'default' || name === 'four members';
      const own = isTrees ? [...words, '--seed', String(seed), ...train] : words;
      const run = at(name.replace(' ', '-'));
      const training = orchard('train', at('train.csv'), '--out', run, '--no-report', ...own);
      must(training);
      must(ask('evaluate', run, at('test.csv'), '--per-row', at(`${name}.csv`), '--top', '0'));
      nats[name] = likelihoodsOf(at(`${name}.csv`));
      seconds[name] = training.processor;
    }
    // a copula of numbers alone, with all of them there
    if (facts.numbers === facts.columns) {
      const copula = script('never_behind.py', 'copula', folder, at('marginals.csv'));
      nats.copula = must(copula).nats;
      seconds.copula = copula.processor;
    }
    const figures = Object.fromEntries(
      Object.entries(nats).map(([name, own]) => {
        const more = own.map((value, row) => value - nats.default[row]);
        const { mean, error } = momentsOf(more);
        return [name, { nats: momentsOf(own).mean, more: mean, error, seconds: seconds[name] }];
      }),
    );
    return { ...facts, figures };
  },
};

/** The log-likelihoods of the lines that `--per-row` wrote. */
function likelihoodsOf(path) {
  const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const place = head.split(',').indexOf('logLikelihood');
  // no field before it has a comma in it
  return lines.map((line) => Number(line.split(',')[place]));
}

function momentsOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}
