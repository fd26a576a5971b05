import { sha256Schema } from '@orchard/contracts';
import { entriesBelow, listAll, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import { datasetsOf, type Life } from './lifecycle.js';

const openPrefix = 'open/';
const endedPrefix = 'ended/';
const needsPrefix = 'needs/';
/** Written when all runs of an older release are named, the open ones; all of them. */
const openNamed = 'open-index';
const allNamed = 'ended-index';

const ends = ['done', 'failed', 'cancelled'] as const;
export type EndStanding = (typeof ends)[number];

/** A life after whose last mark there is nothing to do, but which can be opened again. */
export type EndedLife = Life & { readonly standing: EndStanding };

export function hasEnded(life: Life | null): life is EndedLife {
  return life !== null && (ends as readonly string[]).includes(life.standing);
}

/**
 * Runs, named once more by what is asked about them, so that the cost of an answer grows with what it lists and not
 * with all runs ever made:
 *
 * - `open/<run>`: there is something to do about it,
 * - `ended/<standing>/<run>`: how it has ended,
 * - `needs/<data set>/<run>`: a run that has ended needs this data set; one that is open is asked itself.
 *
 * Empty objects, and hints: the reader of a name checks the run's marks. When they are written is the business of
 * `Marks`.
 */
export class RunNames {
  constructor(private readonly store: ObjectStore) {}

  /** In ascending order, as all of these. */
  async open(): Promise<readonly string[]> {
    return (await entriesBelow(this.store, openPrefix)).map(idIn).filter(isId);
  }

  /** @param after only runs after this id */
  ended(standing: EndStanding, after = ''): AsyncGenerator<string, void, undefined> {
    return this.#below(`${endedPrefix}${standing}/`, after);
  }

  needing(dataset: string): AsyncGenerator<string, void, undefined> {
    return this.#below(`${needsPrefix}${dataset}/`, '');
  }

  /** Of all runs that have ended. */
  async *needs(): AsyncGenerator<readonly [run: string, dataset: string], void, undefined> {
    for await (const entry of listAll(this.store, needsPrefix)) {
      const dataset = entry.name.slice(needsPrefix.length, entry.name.lastIndexOf('/'));
      if (isId(idIn(entry)) && isId(dataset)) yield [idIn(entry), dataset];
    }
  }

  nameOpen(run: string): Promise<unknown> {
    return this.store.put(`${openPrefix}${run}`, nothing);
  }

  forgetOpen(run: string): Promise<void> {
    return this.store.delete(`${openPrefix}${run}`);
  }

  /** @param isNew whether it is under no other name */
  async nameEnd(run: string, life: EndedLife, { isNew = false } = {}): Promise<void> {
    await Promise.all([this.store.put(endedName(life.standing, run), nothing), this.nameNeeds(run, life)]);
    const others = ends.filter((standing) => standing !== life.standing);
    if (!isNew) await Promise.all(others.map((standing) => this.store.delete(endedName(standing, run))));
  }

  async nameNeeds(run: string, life: Life): Promise<void> {
    await Promise.all(needsOf(run, life).map((name) => this.store.put(name, nothing)));
  }

  /** Something is wrong with its record: it is listed as failed. */
  async nameDamaged(run: string): Promise<void> {
    await this.store.put(endedName('failed', run), nothing);
  }

  /** @param life what it was; null where it is unknown: what it needed is named until garbage is removed */
  async forgetEnd(run: string, life: Life | null): Promise<void> {
    const names = [...ends.map((standing) => endedName(standing, run)), ...(life === null ? [] : needsOf(run, life))];
    await Promise.all(names.map((name) => this.store.delete(name)));
  }

  /** Of all runs that are named by their end, and of all that are named as needing something with the name itself. */
  async all(): Promise<{
    readonly ended: ReadonlySet<string>;
    readonly needing: readonly [run: string, name: string][];
  }> {
    const ended = (await entriesBelow(this.store, endedPrefix)).map(idIn);
    const needing = (await entriesBelow(this.store, needsPrefix)).map(
      (entry) => [idIn(entry), entry.name] as [string, string],
    );
    return { ended: new Set(ended), needing };
  }

  async isNamedEnded(run: string, { standing }: EndedLife): Promise<boolean> {
    return (await this.store.head(endedName(standing, run))) !== null;
  }

  async isNamed(which: 'open' | 'all'): Promise<boolean> {
    return (await this.store.head(which === 'open' ? openNamed : allNamed)) !== null;
  }

  async setNamed(which: 'open' | 'all'): Promise<void> {
    await this.store.put(which === 'open' ? openNamed : allNamed, nothing);
  }

  async *#below(prefix: string, after: string): AsyncGenerator<string, void, undefined> {
    for await (const entry of listAll(this.store, prefix, after === '' ? undefined : `${prefix}${after}`)) {
      const id = idIn(entry);
      if (isId(id)) yield id;
    }
  }
}

const nothing = new Uint8Array();
const endedName = (standing: EndStanding, run: string): string => `${endedPrefix}${standing}/${run}`;
const needsOf = (run: string, life: Life): readonly string[] =>
  [...new Set(datasetsOf(life))].map((dataset) => `${needsPrefix}${dataset}/${run}`);
const idIn = ({ name }: ObjectEntry): string => name.slice(name.lastIndexOf('/') + 1);
const isId = (id: string): boolean => sha256Schema.safeParse(id).success;

/**
 * Both of two ascending lists in one, each id once. The first is in memory, the second is read as far as it is asked
 * for.
 */
export async function* merged(
  first: readonly string[],
  second: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let at = 0;
  for await (const id of second) {
    while (at < first.length && first[at]! < id) yield first[at++]!;
    if (first[at] === id) at++;
    yield id;
  }
  yield* first.slice(at);
}
