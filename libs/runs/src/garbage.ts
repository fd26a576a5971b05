import { artefactNames } from '@orchard/pipeline';
import { listAll, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import { lifeOf, type Life } from './life.js';
import { Marks } from './marks.js';

export interface Garbage extends ObjectEntry {
  readonly why: string;
}

export interface GarbageOptions {
  /** Delete what is found. @default false */
  readonly remove?: boolean | undefined;
  /** Data sets that no run refers to count too; one that was registered a moment ago is among them. @default false */
  readonly datasets?: boolean | undefined;
}

/**
 * What a store holds that no run refers to: what was written after a run's removal, checkpoints of runs that have ended,
 * marks of attempts of earlier epochs, and data sets on request. Runs without any mark belong to somebody who trained on one machine:
 * they are left alone.
 *
 * @returns what was found, in the order of names
 */
export async function collectGarbage(
  store: ObjectStore,
  { remove = false, datasets = false }: GarbageOptions = {},
): Promise<readonly Garbage[]> {
  const lives = new Map<string, Life | null>();
  for (const [id, marks] of await new Marks(store).all()) lives.set(id, lifeOf(marks));
  const found: Garbage[] = [];
  const needed = new Set<string>();
  const local = new Set<string>();
  for await (const entry of listAll(store, artefactNames.runs)) {
    const id = entry.name.slice(artefactNames.runs.length).split('/')[0]!;
    const life = lives.get(id);
    if (life === undefined || life === null) local.add(id);
    else {
      const why = reasonOf(entry.name.slice(artefactNames.run(id).length), life);
      if (why !== null) found.push({ ...entry, why });
    }
  }
  if (datasets && local.size === 0) {
    for (const life of lives.values()) {
      if (life === null || life.standing === 'deleted') continue;
      const { train, valid, test } = life.specification;
      for (const id of [train, valid, test]) if (id !== null) needed.add(id);
    }
    for await (const entry of listAll(store, artefactNames.datasets)) {
      const id = entry.name.slice(artefactNames.datasets.length).replace(/\.facts$/, '');
      if (!needed.has(id)) found.push({ ...entry, why: 'no run needs this data set' });
    }
  }
  // facts first: without them a data set is not there
  const order = [...found].sort((a, b) => Number(b.name.endsWith('.facts')) - Number(a.name.endsWith('.facts')));
  if (remove) for (const { name } of order) await store.delete(name);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function reasonOf(rest: string, life: Life): string | null {
  if (life.standing === 'deleted') return 'its run was deleted';
  if (rest.startsWith('checkpoints/') && life.standing === 'done') return 'a checkpoint of a run that is done';
  const epoch = /^(?:attempts|quarantine)\/(\d+)\//.exec(rest)?.[1];
  return epoch !== undefined && Number(epoch) < life.epoch ? 'an attempt of an earlier epoch' : null;
}
