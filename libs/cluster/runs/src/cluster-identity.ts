import { artefactNames } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { randomUUID } from 'node:crypto';

/**
 * Which cluster a store is of: an id that the first coordinator writes into it. Coordinators put it into Redis, so that
 * programs with another store do not take each other's tasks.
 *
 * @returns null where no coordinator has seen the store yet
 */
export async function clusterOf(store: ObjectStore): Promise<string | null> {
  try {
    return Buffer.from(await store.get(artefactNames.cluster))
      .toString()
      .trim();
  } catch (error) {
    if (isRefusal(error, 'missing')) return null;
    throw error;
  }
}

/** The same, written where there is none. */
export async function registerCluster(store: ObjectStore): Promise<string> {
  const known = await clusterOf(store);
  if (known !== null) return known;
  const id = randomUUID();
  try {
    await store.put(artefactNames.cluster, Buffer.from(`${id}\n`));
    return id;
  } catch (error) {
    // another coordinator was faster
    const theirs = isRefusal(error, 'conflict') ? await clusterOf(store) : null;
    if (theirs === null) throw error;
    return theirs;
  }
}
