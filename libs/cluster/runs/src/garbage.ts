import { sha256Schema, type DatasetFacts } from '@orchard/contracts';
import { artefactNames, concurrently, removeUnregistered } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { listAll, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import { factsUnlessRemoved, StoreDatasets } from './datasets.js';
import { deletionsAtOnce, deleteWhile } from './delete-while.js';
import { groupsOf } from './entry-groups.js';
import { leftoversOf, type Leftover } from './leftovers.js';
import { datasetsOf } from './lifecycle.js';
import type { History } from './history.js';
import { Marks } from './marks.js';

export interface Garbage extends Leftover {
  /** The run that it was written for; null for data sets. */
  readonly run: string | null;
  /** What is known of a registered data set; null for all else. */
  readonly dataset: DatasetFacts | null;
}

export interface GarbageOptions {
  /** Delete what is found. @default false */
  readonly remove?: boolean | undefined;
  /** Whether registered data sets that no run needs are among it. @default false */
  readonly datasets?: boolean | undefined;
  /**
   * What is younger is left alone: a client may have stored it for its next request.
   * @default 0
   */
  readonly olderThanSeconds?: number | undefined;
}

/** Records of deletions are kept for at least this long, whatever is asked for: a program may still rely on them. */
const deletionSeconds = 24 * 3600;
const neverSubmitted: History = { life: null, marks: 0, damage: null, lastAt: null, bornAt: null };

/**
 * What a store holds that nothing refers to: leftovers of runs (`leftoversOf`), data sets that were never registered,
 * and on request registered ones that no run needs; and the records of runs that were removed more than a day ago (or
 * more than the age that is kept, where that is longer), with the words of data sets' deletions of that age, which are
 * not listed. One page of a listing for each thousand objects of all runs, a read for each mark, and one for each data
 * set that is found. How old an object is comes from the store's clock: this machine's may differ by less than the age
 * that is kept.
 *
 * @returns what was found, in the order of names; when removing, what was removed: runs about which something was
 * decided meanwhile, and data sets that were registered or asked for meanwhile, are left as they are
 */
export async function collectGarbage(
  store: ObjectStore,
  { remove = false, datasets = false, olderThanSeconds = 0 }: GarbageOptions = {},
): Promise<readonly Garbage[]> {
  const marks = new Marks(store);
  const histories = new Map<string, History>();
  for await (const [id, history] of marks.all()) histories.set(id, history);
  const latest = Date.now() - olderThanSeconds * 1000;
  // without an age that is kept nothing hangs on two clocks that differ by a moment
  const isOld = ({ storedAt }: ObjectEntry): boolean => olderThanSeconds === 0 || storedAt <= latest;
  const found: Garbage[] = [];
  const nonEmpty = new Set<string>();
  for await (const [run, entries] of groupsOf(listAll(store, artefactNames.runs), runOf)) {
    const history = histories.get(run) ?? neverSubmitted;
    const leftovers = leftoversOf(run, entries, history).filter(isOld);
    const isAsItWas = async (): Promise<boolean> =>
      (await marks.of(run)).marks === history.marks &&
      (history.marks > 0 || (await store.head(artefactNames.specification(run))) === null);
    const removed = remove ? leftovers.slice(0, await deleteWhile(isAsItWas, store, leftovers)) : leftovers;
    for (const leftover of removed) found.push({ ...leftover, run, dataset: null });
    if (removed.length < entries.length) nonEmpty.add(run);
  }
  const over = Date.now() - Math.max(olderThanSeconds, deletionSeconds) * 1000;
  const gone = [...histories].filter(([run, history]) => isRemoved(history) && !nonEmpty.has(run));
  await concurrently(gone, deletionsAtOnce, async ([run, { marks: known }]) => {
    const record = await marks.record(run);
    if (!record.every(({ storedAt }) => storedAt <= over)) return;
    if (remove) {
      if ((await marks.of(run)).marks !== known) return;
      await marks.forget(run, record);
    }
    for (const entry of record) {
      found.push({ ...entry, run, dataset: null, why: 'the record of a run that was deleted' });
    }
  });
  if (remove) {
    await forgetDeletions(store, over);
    await marks.mendNames(histories);
  }
  const needed = new Set([...histories.values()].flatMap(({ life }) => (life === null ? [] : datasetsOf(life))));
  const registered = new StoreDatasets(store, marks);
  for await (const [id, entries] of groupsOf(listAll(store, artefactNames.datasets), datasetOf)) {
    // an upload stores the bits first, and may be cut off before the facts
    const isRegistered = entries.some(({ name }) => name === artefactNames.datasetFacts(id));
    if (needed.has(id) || !entries.every(isOld) || (isRegistered && !datasets)) continue;
    const [first] = entries;
    const size = entries.reduce((sum, entry) => sum + entry.size, 0);
    const dataset = isRegistered ? await factsUnlessRemoved(store, id) : null;
    if (isRegistered && dataset === null) continue;
    const why = isRegistered ? 'a data set that no run needs' : 'an upload that was cut off';
    const remover = isRegistered ? () => removeUnneeded(registered, id) : () => removeUnregistered(store, id);
    if (!remove || (await remover())) found.push({ ...first!, size, run: null, dataset, why });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isRemoved({ life, marks, damage }: History): boolean {
  return life === null && marks > 0 && damage === null;
}

/** A data set that is registered has no such word; one that is not need not be said to have been deleted for ever. */
async function forgetDeletions(store: ObjectStore, over: number): Promise<void> {
  for await (const { name, storedAt } of listAll(store, artefactNames.datasetDeletions))
    if (storedAt <= over) await store.delete(name);
}

/** @returns false where a run was submitted with it meanwhile, or another program has removed it */
async function removeUnneeded(datasets: StoreDatasets, id: string): Promise<boolean> {
  try {
    await datasets.remove(id);
    return true;
  } catch (error) {
    if (isRefusal(error, 'dataset-in-use', 'unknown-dataset')) return false;
    throw error;
  }
}

/** What is in no folder of a run is not ours to judge. */
function runOf(name: string): string | null {
  const run = name.slice(artefactNames.runs.length).split('/')[0];
  return sha256Schema.safeParse(run).success ? run! : null;
}

function datasetOf(name: string): string | null {
  const id = name.slice(artefactNames.datasets.length, artefactNames.datasets.length + 64);
  const isOne = sha256Schema.safeParse(id).success;
  return isOne && [artefactNames.dataset(id), artefactNames.datasetFacts(id)].includes(name) ? id : null;
}
