import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { families } from '@orchard/registry';
import { openRun, type Family, type Run } from '@orchard/pipeline';
import { FilesystemStore, type ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { UsageError } from '../output/errors.js';
import { summaryIn } from './summary-in.js';

/** A run where it is stored: in a folder of this machine, or in the store of a cluster. */
export interface StoredRun {
  readonly store: ObjectStore;
  readonly family: Family;
  readonly run: Run;
  /** Whether the folder is one of `orchard train`, which draws reports beside its store. */
  readonly isLocal: boolean;
}

/** What names a store, and how it is reached. */
const storeSchema = z.object({ ORCHARD_STORE: z.string().optional() });

/** Whether RUN names a folder of this machine, rather than a run by its id. */
export function isFolder(given: string): boolean {
  return given !== '' && existsSync(given) && statSync(given).isDirectory();
}

/**
 * @param given the folder that `orchard train` wrote, or a run's id in the store that the environment names
 * @throws UsageError where there is no such run; PipelineError for what of it cannot be read
 */
export async function openStoredRun(given: string): Promise<StoredRun> {
  const isLocal = isFolder(given);
  const store = isLocal ? await storeOfFolder(given) : await storeOfEnvironment(given);
  const run = await openRun(store, isLocal ? await runOfFolder(given, store) : await runInStore(given, store));
  return { store, run, family: families.of(run.specification), isLocal };
}

/** @throws UsageError for a folder without a store */
export async function storeOfFolder(given: string): Promise<FilesystemStore> {
  const folder = join(given, 'store');
  if (isFolder(folder)) return FilesystemStore.open(folder);
  throw new UsageError({
    got: `${given}, a folder without a run`,
    expected: 'the folder of an orchard train, or the id of a run',
    where: 'RUN',
    remedy: 'Name the --out of an orchard train; a folder that was fetched into has no store.',
  });
}

/** The run of a folder: the only one in its store, or else that of its summary. @throws UsageError */
export async function runOfFolder(given: string, store: ObjectStore): Promise<string> {
  const ids = await runIds(store, '');
  if (ids.length === 1) return ids[0]!;
  const named = (await summaryIn(given))?.runId;
  if (named !== undefined && ids.includes(named)) return named;
  throw new UsageError({
    got:
      ids.length === 0
        ? `${given}, in whose store no run has begun`
        : `${given}, with ${ids.length} runs: ${ids.join(', ')}`,
    expected: 'a folder with one run',
    where: 'RUN',
    remedy:
      ids.length === 0
        ? 'Give its orchard train command again.'
        : `Name one of them, with the folder's store in the environment: ORCHARD_STORE=${join(given, 'store')}`,
  });
}

async function storeOfEnvironment(given: string): Promise<ObjectStore> {
  const { ORCHARD_STORE: named = '' } = storeSchema.parse(process.env);
  const remedy =
    'Name the folder of an orchard train; or a run by its id, with ORCHARD_STORE (and the variables of S3) as the cluster has them.';
  if (named === '') {
    const got = `${JSON.stringify(given.slice(0, 80))}, which is not a folder, and no ORCHARD_STORE`;
    throw new UsageError({ got, expected: 'a run and where it is stored', where: 'RUN', remedy });
  }
  const path = named.replace(/^file:\/\//, '');
  // opening a store makes its folder: a command that only reads makes none
  if (!named.startsWith('s3://') && !isFolder(path)) {
    throw new UsageError({ got: `${path}, which is not there`, expected: 'a store', where: 'ORCHARD_STORE', remedy });
  }
  // its libraries take long to load, and only this needs them
  const { clusterVariables, openStore, parseEnvironment } = await import('@orchard/program/settings');
  const settings = parseEnvironment(z.object(clusterVariables), process.env);
  return openStore(settings);
}

/** The run whose id begins so. @throws UsageError for none, or several */
async function runInStore(beginning: string, store: ObjectStore): Promise<string> {
  const found = /^[0-9a-f]{4,64}$/.test(beginning) ? await runIds(store, beginning) : [];
  if (found.length === 1) return found[0]!;
  throw new UsageError({
    got: JSON.stringify(beginning.slice(0, 80)),
    expected: 'a folder, or the id of one run in this store (at least its first four digits)',
    where: 'RUN',
    remedy: found.length > 1 ? `Give more digits: ${found.length} runs begin so.` : 'orchard runs lists them.',
  });
}

/** One request for each run: what is below it is jumped over. */
async function runIds(store: ObjectStore, beginning: string): Promise<string[]> {
  const ids: string[] = [];
  const prefix = `runs/${beginning}`;
  let [next] = await store.list(prefix, { limit: 1 });
  while (next !== undefined) {
    const [, id = ''] = next.name.split('/');
    if (/^[0-9a-f]{64}$/.test(id)) ids.push(id);
    // "0" comes right after "/"
    [next] = await store.list(prefix, { limit: 1, after: `runs/${id}0` });
  }
  return ids;
}
