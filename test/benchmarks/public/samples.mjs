// Rows sampled as the tables of TabDiff and TabPC have it: one model of the training rows, one sample of as many.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tablesPython } from '../tables/environment.mjs';
import { must, programs } from './orchard.mjs';
import { sampleByTabularArgn, TABULAR_ARGN } from './tabular-argn.mjs';

export const samples = {
  folder: 'public/samples',
  setsIn: (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []),
  python: tablesPython,

  measure(data, set, { seed, train, folder, beside, ...how }) {
    const { orchard, ask, script } = programs(how);
    const at = (name) => join(folder, name);
    const rows = must(script('samples.py', 'unpack', join(data, set), folder));
    const training = orchard('train', at('train.csv'), '--out', at('run'), '--seed', String(seed), ...train);
    must(training);
    const count = ['--count', String(rows.train), '--seed', String(seed)];
    const sampling = ask('sample', at('run'), ...count, '--out', at('sampled.csv'));
    must(sampling);
    const judge = (file) => must(script('samples.py', 'judge', join(data, set), folder, file, seed));
    const seconds = { training: training.processor, sampling: sampling.processor };
    const own = { rows, seconds, ...judge('sampled.csv') };
    if (!beside.includes(TABULAR_ARGN)) return own;
    const other = sampleByTabularArgn(folder, 'by-argn.csv', seed, how);
    return { ...own, beside: { [TABULAR_ARGN]: { seconds: other, ...judge('by-argn.csv') } } };
  },
};
