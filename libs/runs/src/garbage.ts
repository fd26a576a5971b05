import { sha256Schema } from '@orchard/contracts';
import { artefactNames, removeUnregistered } from '@orchard/pipeline';
import { listAll, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import { leftoversOf, type Leftover } from './leftovers.js';
import { lifeOf, type Life } from './life.js';
import { Marks } from './marks.js';

export interface Garbage extends Leftover {
  /** The run that it was written for; null for the bits of a data set. */
  readonly run: string | null;
}

export interface GarbageOptions {
  /** Delete what is found. @default false */
  readonly remove?: boolean | undefined;
}

const deletionsAtOnce = 32;

/**
 * What a store holds that nothing refers to: leftovers of runs ({@link leftoversOf}), and data sets that were never
 * registered. One page of a listing for each thousand objects of all runs. Registered data sets that no run needs are not
 * among it: somebody may have stored one for the run that comes next.
 *
 * @returns what was found, in the order of names; when removing, what was removed: runs about which something was
 * decided meanwhile, and data sets that were registered meanwhile, are left as they are
 */
export async function collectGarbage(
  store: ObjectStore,
  { remove = false }: GarbageOptions = {},
): Promise<readonly Garbage[]> {
  const marks = new Marks(store);
  const lives = new Map<string, Life>();
  for (const [id, own] of await marks.all()) {
    const life = lifeOf(own);
    if (life !== null) lives.set(id, life);
  }
  const found: Garbage[] = [];
  for await (const [run, entries] of runFolders(store)) {
    const life = lives.get(run) ?? null;
    const leftovers = leftoversOf(run, entries, life);
    const isAsItWas = async (): Promise<boolean> =>
      (lifeOf(await marks.of(run))?.marks ?? null) === (life?.marks ?? null) &&
      (life !== null || (await store.head(artefactNames.specification(run))) === null);
    const removed = remove ? await removeWhile(isAsItWas, store, leftovers) : leftovers;
    found.push(...removed.map((leftover) => ({ ...leftover, run })));
  }
  const needed = neededDatasets(lives.values());
  for await (const [id, bits] of unregisteredDatasets(store)) {
    if (needed.has(id) || (remove && !(await removeUnregistered(store, id)))) continue;
    found.push({ ...bits, run: null, why: 'an upload that was cut off' });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
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

/** The data sets of which nothing is known: an upload stores the bits first, and was cut off before the rest. */
async function* unregisteredDatasets(store: ObjectStore): AsyncGenerator<[id: string, bits: ObjectEntry], void> {
  let bits: ObjectEntry | null = null;
  const idOf = ({ name }: ObjectEntry): string => name.slice(artefactNames.datasets.length);
  // the facts come right after the bits, in the order of names
  for await (const entry of listAll(store, artefactNames.datasets)) {
    if (bits !== null && entry.name !== artefactNames.datasetFacts(idOf(bits))) yield [idOf(bits), bits];
    bits = sha256Schema.safeParse(idOf(entry)).success ? entry : null;
  }
  if (bits !== null) yield [idOf(bits), bits];
}

function neededDatasets(lives: Iterable<Life>): ReadonlySet<string> {
  const needed = new Set<string>();
  for (const { standing, specification } of lives) {
    if (standing === 'deleted') continue;
    const { train, valid, test } = specification;
    for (const id of [train, valid, test]) if (id !== null) needed.add(id);
  }
  return needed;
}
