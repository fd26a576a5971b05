import { parseContract } from '@orchard/contracts';
import { openTable, readTableSplits, type TableSplits } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import type { ResolvedRun } from '@orchard/pipeline';
import { registerSplits } from '@orchard/pipeline/conformance';
import type { ObjectStore } from '@orchard/storage';
import { folderOfTest, storeThat } from '@orchard/storage/testing';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tables } from './tables.js';
import { tablesWordsSchema } from './tables-run.js';

/** One model of few and small trees: enough for what is done with them. */
export const words = { leaves: 4, members: 1, rounds: 15, patience: 5, featureFraction: 0.7, seed: 4 };

/** A survey in which everything leans on age, with holes, an index, a constant column and one that repeats another. */
export function survey(rows: number): string {
  const stream = new RandomStream(7, 1006);
  const lines = ['n,age,smoker,city,weight,since,constant,again'];
  for (let row = 0; row < rows; row++) {
    const age = 18 + stream.below(50);
    const isOld = age > 40;
    const smoker = stream.below(5) > (isOld ? 1 : 3) ? 'yes' : 'no';
    const city = stream.below(9) === 0 ? '' : ['Kiel', 'Lund', 'Turku'][stream.below(isOld ? 2 : 3)]!;
    const weight = (50 + age / 2 + 20 * stream.uniform()).toFixed(2);
    const since = new Date(86_400_000 * (10_000 + stream.below(3000))).toISOString().slice(0, 10);
    lines.push([row, age, smoker, city, weight, since, 5, age].join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** A table in CSV: three fifths of its rows train, a fifth validates, a fifth tests. */
export async function splitsOf(text: string): Promise<TableSplits & { readonly path: string }> {
  const path = join(folderOfTest(), 'table.csv');
  await writeFile(path, text);
  const train = await openTable(path);
  const splits = await readTableSplits({ train, valid: null, test: null }, { valid: 0.2, test: 0.2 }, 1, {});
  await train.close();
  return { path, ...splits };
}

/** The run that words mean of these rows, which are registered. */
export async function resolved(
  store: ObjectStore,
  splits: TableSplits,
  said: Readonly<Record<string, unknown>> = words,
): Promise<ResolvedRun> {
  const datasets = await registerSplits(store, [splits.train, splits.valid!, splits.test]);
  return tables.resolve(parseContract(tablesWordsSchema, said, 'run request'), datasets);
}

/**
 * A store in which a run is stopped as soon as so many variables are stored. Those that are done meanwhile wait for that,
 * however long it takes: no task begins in their place, so that at most the two of each thread are stored besides.
 */
export function stoppedAfter(
  store: ObjectStore,
  variables: number,
): { readonly store: ObjectStore; readonly signal: AbortSignal } {
  const stop = new AbortController();
  let begun = 0;
  let stored = 0;
  const stopping = storeThat(store, {
    put: async (name, bytes) => {
      if (!name.includes('/variables/')) return store.put(name, bytes);
      begun++;
      if (begun > variables && !stop.signal.aborted) await once(stop.signal, 'abort');
      const put = await store.put(name, bytes);
      stored++;
      if (stored === variables) stop.abort();
      return put;
    },
  });
  return { store: stopping, signal: stop.signal };
}
