import { BitMatrix, readDataset } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  registerDataset,
  runLocally,
  type Family,
  type LocalRun,
  type LocalRunOptions,
  type ResolvedRun,
  type RunDatasets,
} from './index.js';

type StandardSet = 'dna' | 'mushrooms';
type Splits<Rows> = readonly [train: Rows, valid: Rows, test?: Rows | null];

/** The splits of a run, registered in a store. */
export async function registerSplits(
  store: ObjectStore,
  [train, valid, test = null]: Splits<BitMatrix>,
): Promise<RunDatasets> {
  return {
    train: await registerDataset(store, train),
    valid: await registerDataset(store, valid),
    test: test === null ? null : await registerDataset(store, test),
  };
}

/** What a run of a test was of, and what came of it. */
export interface TestRun extends ResolvedRun, LocalRun {
  readonly store: ObjectStore;
}

/**
 * A whole run on one thread, in a store that goes with the test.
 *
 * @param splits or the name of a set that lies in the project
 * @param options another store or number of threads
 */
export async function trainedOn(
  splits: Splits<BitMatrix> | StandardSet,
  family: Family,
  words: object,
  options: Partial<LocalRunOptions> = {},
): Promise<TestRun> {
  const store = options.store ?? temporaryStore();
  const registered = typeof splits === 'string' ? standardDatasets(store, splits) : registerSplits(store, splits);
  const request = family.resolve({ ...words }, await registered);
  return { store, ...request, ...(await runLocally({ store, family, ...request, threads: 1, ...options })) };
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * The splits of a standard set that lies in the project, registered in a store.
 *
 * @param columns those that are kept, in this order. @default all
 */
export async function standardDatasets(
  store: ObjectStore,
  name: StandardSet,
  columns?: readonly number[],
): Promise<RunDatasets> {
  const splits = await readSplits(join(root, 'test/data', name));
  const [train, valid, test] = splits.map((rows) => (columns === undefined ? rows : rows.selectColumns(columns)));
  return registerSplits(store, [train!, valid!, test!]);
}

/** The splits of a standard set wherever this machine has it; where it has none, why not, for `skip` of a test. */
export async function standardSplits(name: string): Promise<Splits<BitMatrix> | string> {
  const parents = [process.env['ORCHARD_DATA'] ?? join(root, '../shared/data'), join(root, 'test/data')];
  const folder = parents.map((parent) => join(parent, name)).find((one) => existsSync(one));
  return folder === undefined ? `${name} is in none of ${parents.join(', ')} (ORCHARD_DATA)` : readSplits(folder);
}

function readSplits(folder: string): Promise<[BitMatrix, BitMatrix, BitMatrix]> {
  const read = (split: string): Promise<BitMatrix> => readDataset(join(folder, `${split}.data.gz`));
  return Promise.all([read('train'), read('valid'), read('test')]);
}

/** Rows of four columns, of which three follow each other. */
export function plainRows(count: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1024);
  const matrix = BitMatrix.create(count, 4, { names: ['a', 'b', 'c', 'd'] });
  for (let row = 0; row < count; row++) {
    const a = stream.below(2);
    const b = stream.below(5) === 0 ? 1 - a : a;
    [a, b, stream.below(4) === 0 ? 1 - b : b, stream.below(3) === 0 ? 1 : 0].forEach((value, dim) => {
      matrix.set(row, dim, value === 1);
    });
  }
  return matrix;
}
