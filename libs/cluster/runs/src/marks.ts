import { runIdOf, sha256Schema } from '@orchard/contracts';
import { Kept, keptDocuments, parseDocument, sealedBytes } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { entriesBelow, listAll, StorageError, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { groupsOf } from './entry-groups.js';
import { historyOf, isUnderWay, markName, marksPrefix, type History } from './history.js';
import { datasetsOf, markSchema, type Decision, type Life, type Mark } from './lifecycle.js';
import { hasEnded, merged, RunNames, type EndedLife, type EndStanding } from './run-names.js';

const readsAtOnce = 32;
const mostMet = 10_000;

/**
 * The marks of all runs: `marks/<run>/<number>`, numbered from 0 without gaps and created once each. So everybody who
 * reads them sees the same history, and of two who decide at once the second learns that its number is taken and
 * decides again. They lie apart from the artefacts, so that a look at a run's life lists a handful of names.
 *
 * Runs are named once more by what is asked about them ({@link RunNames}). To open a run, a program makes its mark,
 * then the name `open`; to end it, it makes its mark and the names of its end, removes the name `open`, then looks at
 * the marks: so at least one of two at once sees the other, and at no moment is a run under no name. A search for runs
 * reads the open ones first.
 *
 * A mark that is damaged or missing is that run's trouble alone.
 *
 * A store whose listings lag, as S3's must not, hides marks for a while: those that are known here are asked for by
 * name, and before a run is closed its next one is.
 */
export class Marks {
  readonly #store: ObjectStore;
  readonly #names: RunNames;
  readonly #kept = new Kept<Mark>(keptDocuments);
  /** How many marks a run has at least, listed or not: of those that were made or met here. */
  readonly #met = new LRUCache<string, number>({ max: mostMet });
  #areEndsNamed = false;

  constructor(store: ObjectStore) {
    this.#store = store;
    this.#names = new RunNames(store);
  }

  async of(run: string): Promise<History> {
    const record = [...(await this.record(run))];
    const most = this.#met.get(run) ?? 0;
    for (let next = record.length === 0 ? 0 : numberOf(record.at(-1)!) + 1; next < most; next++) {
      const entry = await this.#store.head(markName(run, next));
      if (entry === null) {
        // its record was forgotten
        this.#met.delete(run);
        break;
      }
      record.push(entry);
    }
    return this.#read(run, record);
  }

  /**
   * Every run that has marks, by id in ascending order.
   *
   * @param after only runs after this id
   */
  async *all(after?: string): AsyncGenerator<[run: string, history: History], void, undefined> {
    const start = after === undefined ? undefined : `${marksPrefix}${after}/z`;
    let batch: Promise<[string, History]>[] = [];
    for await (const [run, record] of groupsOf(listAll(this.#store, marksPrefix, start), runOf)) {
      batch.push(this.#readOneOfAll(run, record));
      if (batch.length < readsAtOnce) continue;
      yield* await Promise.all(batch);
      batch = [];
    }
    yield* await Promise.all(batch);
  }

  /** The runs about which there is, or may be, something to do: open ones and those that are being deleted. */
  async open(): Promise<readonly string[]> {
    this.#areEndsNamed = await this.#names.isNamed('all');
    if (!this.#areEndsNamed && !(await this.#names.isNamed('open'))) await this.#nameOpenOnes();
    return this.#names.open();
  }

  /** Their histories, by id in ascending order. */
  async *underWay(after = ''): AsyncGenerator<[run: string, history: History], void, undefined> {
    yield* this.#histories((await this.open()).filter((id) => id > after));
  }

  /** Histories among which those are of all runs that have ended so, by id in ascending order. */
  async *ended(standing: EndStanding, after = ''): AsyncGenerator<[run: string, history: History], void, undefined> {
    const open = (await this.open()).filter((id) => id > after);
    if (this.#areEndsNamed) yield* this.#histories(merged(open, this.#names.ended(standing, after)));
    else yield* this.all(after === '' ? undefined : after);
  }

  /** Histories among which those are of all runs that need a data set. */
  async *needing(dataset: string): AsyncGenerator<[run: string, history: History], void, undefined> {
    const open = await this.open();
    if (this.#areEndsNamed) yield* this.#histories(merged(open, this.#names.needing(dataset)));
    else yield* this.all();
  }

  /** Of all runs that are not deleted, which data sets they need. */
  async *needs(): AsyncGenerator<readonly [run: string, dataset: string], void, undefined> {
    await this.open();
    const histories = this.#areEndsNamed ? this.underWay() : this.all();
    for await (const [run, { life }] of histories)
      if (life !== null) for (const dataset of datasetsOf(life)) yield [run, dataset];
    if (this.#areEndsNamed) yield* this.#names.needs();
  }

  /** Whether {@link nameEnds} has nothing to do, as of the last look for open runs. */
  get areEndsNamed(): boolean {
    return this.#areEndsNamed;
  }

  /**
   * Names the runs of an older release that have ended, once in a store's life; until then a search for them reads all
   * marks.
   */
  async nameEnds(signal: AbortSignal): Promise<void> {
    let batch: Promise<void>[] = [];
    for await (const [run, { life }] of this.all()) {
      if (signal.aborted) return;
      if (hasEnded(life)) batch.push(this.#nameOldEnd(run, life));
      if (batch.length < readsAtOnce) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
    await this.#names.setNamed('all');
  }

  /** @returns the mark, or null where another program took the number: read again and decide anew */
  async append(run: string, number: number, decision: Decision): Promise<Mark | null> {
    const mark = { ...decision, id: randomUUID(), at: new Date().toISOString() } as Mark;
    const name = markName(run, number);
    try {
      await this.#store.put(name, sealedBytes(mark));
    } catch (error) {
      if (!isRefusal(error, 'conflict')) throw error;
      this.#met.set(run, number + 1);
      return null;
    }
    this.#met.set(run, number + 1);
    if (!isEnd(decision.kind)) await this.nameOpen(run);
    return mark;
  }

  /** Names a run as open; again by the next such request, where the program that opened it died before it did. */
  async nameOpen(run: string): Promise<void> {
    await this.#names.nameOpen(run);
  }

  /**
   * Takes a run that has come to an end from those that are looked at, unless it was opened again.
   *
   * @param was its life before it was removed, where that is its end
   */
  async close(run: string, was: Life | null = null): Promise<void> {
    let history = await this.of(run);
    for (;;) {
      while (await this.#isBehind(run, history)) history = await this.of(run);
      const { life } = history;
      if (isUnderWay(history)) return this.nameOpen(run);
      if (hasEnded(life)) await this.#names.nameEnd(run, life);
      await this.#names.forgetOpen(run);
      history = await this.of(run);
      if (life === null && history.life === null) {
        await this.#names.forgetEnd(run, was);
        history = await this.of(run);
        // a whole life went by in between: what it was named was just taken away
        if (history.life !== null) await this.#names.nameNeeds(run, history.life);
      }
      if (history.life?.standing === life?.standing) return;
    }
  }

  /** Sees to the names of a run that another program has ended: a coordinator of an older release gives an end none. */
  async closeAfterOthers(run: string, was: Life): Promise<void> {
    const { life } = await this.of(run);
    if (hasEnded(life) && (await this.#names.isNamedEnded(run, life))) return;
    await this.close(run, was);
  }

  /**
   * Corrects the names of ends that were left wrong: one that a coordinator of an older release ended unseen, one whose
   * record was forgotten.
   *
   * @param known all there are
   */
  async mendNames(known: ReadonlyMap<string, History>): Promise<void> {
    const { ended, needing } = await this.#names.all();
    for (const [run, { life }] of known) if (hasEnded(life) && !ended.has(run)) await this.close(run);
    for (const [run, name] of needing) {
      const history = known.get(run);
      if (history !== undefined && (history.life !== null || history.damage !== null)) continue;
      if ((await this.of(run)).life !== null) continue;
      await this.#store.delete(name);
      const { life } = await this.of(run);
      if (life !== null) await this.#names.nameNeeds(run, life);
    }
  }

  /** The objects that a run's record is. */
  record(run: string): Promise<readonly ObjectEntry[]> {
    return entriesBelow(this.#store, `${marksPrefix}${run}/`);
  }

  /**
   * Removes the record of a run that is deleted, the first mark first: what is left of it still ends in its removal. A
   * submission at the same moment stands, with its mark alone.
   *
   * @param record what there was of it when that was decided
   */
  async forget(run: string, record: readonly ObjectEntry[]): Promise<void> {
    for (const { name } of record) {
      await this.#store.delete(name);
    }
    await this.close(run);
  }

  /** Whether listings do not have the run's newest mark yet. */
  async #isBehind(run: string, { marks }: History): Promise<boolean> {
    if ((await this.#store.head(markName(run, marks))) === null) return false;
    this.#met.set(run, marks + 1);
    return true;
  }

  /** Names the runs of an older release that are open, once. */
  async #nameOpenOnes(): Promise<void> {
    for await (const [run, history] of this.all())
      if (isUnderWay(history) || history.damage !== null) await this.nameOpen(run);
    await this.#names.setNamed('open');
  }

  async #nameOldEnd(run: string, life: EndedLife): Promise<void> {
    await this.#names.nameEnd(run, life, { isNew: true });
    if ((await this.of(run)).life?.standing !== life.standing) await this.close(run, life);
  }

  async *#histories(
    runs: Iterable<string> | AsyncIterable<string>,
  ): AsyncGenerator<[run: string, history: History], void, undefined> {
    let batch: Promise<[string, History]>[] = [];
    // the first few are often enough for the caller
    let size = 4;
    for await (const run of runs) {
      batch.push(this.of(run).then((history) => [run, history]));
      if (batch.length < size) continue;
      yield* await Promise.all(batch);
      batch = [];
      size = Math.min(2 * size, readsAtOnce);
    }
    yield* await Promise.all(batch);
  }

  /** Where something is wrong with it, it is found among the failed ones from now on. */
  async #readOneOfAll(run: string, record: readonly ObjectEntry[]): Promise<[string, History]> {
    const history = await this.#read(run, record);
    if (history.damage !== null) await this.#names.nameDamaged(run);
    return [run, history];
  }

  async #read(run: string, record: readonly ObjectEntry[]): Promise<History> {
    const found = await Promise.all(
      record.map(async (entry) => [numberOf(entry), await this.#mark(run, entry)] as const),
    );
    return historyOf(run, found);
  }

  /** The mark, or what is wrong with it. Only damage is that: a store that is away is an error. */
  async #mark(run: string, { name, size, storedAt }: ObjectEntry): Promise<Mark | string> {
    // the record of a run may be forgotten by another coordinator, and begun anew under the same names
    const identity = `${name} ${size} ${storedAt}`;
    const kept = this.#kept.get(identity);
    if (kept !== undefined) return kept;
    try {
      const mark = parseDocument(await this.#store.get(name), name, markSchema);
      if (mark.kind === 'submit' && mark.specification !== null && runIdOf(mark.specification) !== run)
        return `Mark ${name} is of another run.`;
      this.#kept.set(identity, mark);
      return mark;
    } catch (error) {
      if (error instanceof StorageError && error.code !== 'damaged' && error.code !== 'missing') throw error;
      return `Mark ${name} is damaged.`;
    }
  }
}

function numberOf({ name }: ObjectEntry): number {
  return Number(name.slice(name.lastIndexOf('/') + 1));
}

/** The run that a mark is of; null for other names. */
function runOf(name: string): string | null {
  const run = name.slice(marksPrefix.length, name.lastIndexOf('/'));
  return sha256Schema.safeParse(run).success ? run : null;
}

/** Marks after which there is nothing to do. */
function isEnd(kind: Mark['kind']): boolean {
  return kind === 'done' || kind === 'failed' || kind === 'cancel' || kind === 'removed';
}
