import { sha256Schema } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import { listAll, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import { leftoversOf, type Leftover } from './leftovers.js';
import { lifeOf, type Life } from './life.js';
import { Marks } from './marks.js';

export interface Garbage extends Leftover {
  /** The run that it was written for; null for data sets. */
  readonly run: string | null;
}

export interface GarbageOptions {
  /** Delete what is found. @default false */
  readonly remove?: boolean | undefined;
  /** Data sets that no run refers to count too; one that was registered a moment ago is among them. @default false */
  readonly datasets?: boolean | undefined;
}

const deletionsAtOnce = 32;

/**
 * What a store holds that no run refers to: leftovers of runs ({@link leftoversOf}), and data sets on request, unless
 * somebody trains in this store on one machine: what such a run needs, no mark says. One page of a listing for each
 * thousand objects of all runs.
 *
 * @returns what was found, in the order of names; when removing, what was removed: runs about which something was
 * decided meanwhile are left for another time
 */
export async function collectGarbage(
  store: ObjectStore,
  { remove = false, datasets = false }: GarbageOptions = {},
): Promise<readonly Garbage[]> {
  const marks = new Marks(store);
  const lives = new Map<string, Life>();
  for (const [id, own] of await marks.all()) {
    const life = lifeOf(own);
    if (life !== null) lives.set(id, life);
  }
  const found: Garbage[] = [];
  let hasLocal = false;
  for await (const [run, entries] of runFolders(store)) {
    const life = lives.get(run) ?? null;
    const leftovers = leftoversOf(run, entries, life);
    if (life === null && leftovers.length === 0) hasLocal = true;
    const isAsItWas = async (): Promise<boolean> =>
      (lifeOf(await marks.of(run))?.marks ?? null) === (life?.marks ?? null) &&
      (life !== null || (await store.head(artefactNames.specification(run))) === null);
    const removed = remove ? await removeWhile(isAsItWas, store, leftovers) : leftovers;
    found.push(...removed.map((leftover) => ({ ...leftover, run })));
  }
  if (!datasets || hasLocal) return found;
  const unneeded = await unneededDatasets(store, lives.values());
  if (remove) for (const { name } of unneeded) await store.delete(name);
  return [...found, ...unneeded].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The objects of one run after the other; what is in no folder of a run is not ours to judge. */
async function* runFolders(store: ObjectStore): AsyncGenerator<[run: string, entries: readonly ObjectEntry[]], void> {
  let current: [string, ObjectEntry[]] | null = null;
  for await (const entry of listAll(store, artefactNames.runs)) {
    const run = entry.name.slice(artefactNames.runs.length).split('/')[0]!;
    if (!sha256Schema.safeParse(run).success) continue;
    if (current?.[0] === run) current[1].push(entry);
    else {
      if (current !== null) yield current;
      current = [run, [entry]];
    }
  }
  if (current !== null) yield current;
}

/** @returns what was deleted before something changed */
async function removeWhile(
  isAsItWas: () => Promise<boolean>,
  store: ObjectStore,
  leftovers: readonly Leftover[],
): Promise<readonly Leftover[]> {
  for (let at = 0; at < leftovers.length; at += deletionsAtOnce) {
    if (!(await isAsItWas())) return leftovers.slice(0, at);
    await Promise.all(leftovers.slice(at, at + deletionsAtOnce).map(({ name }) => store.delete(name)));
  }
  return leftovers;
}

/** Facts come first: without them a data set is not there. */
async function unneededDatasets(store: ObjectStore, lives: Iterable<Life>): Promise<readonly Garbage[]> {
  const needed = new Set<string>();
  for (const { standing, specification } of lives) {
    if (standing === 'deleted') continue;
    const { train, valid, test } = specification;
    for (const id of [train, valid, test]) if (id !== null) needed.add(id);
  }
  const unneeded: Garbage[] = [];
  for await (const entry of listAll(store, artefactNames.datasets)) {
    const id = entry.name.slice(artefactNames.datasets.length).replace(/\.facts$/, '');
    if (!needed.has(id)) unneeded.push({ ...entry, run: null, why: 'no run needs this data set' });
  }
  return unneeded.sort((a, b) => Number(b.name.endsWith('.facts')) - Number(a.name.endsWith('.facts')));
}
