import { runIdOf, sha256Schema } from '@orchard/contracts';
import { Kept, keptDocuments, parseDocument, sealedBytes } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { entriesBelow, listAll, StorageError, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import { randomUUID } from 'node:crypto';
import { groupsOf } from './entry-groups.js';
import { damagedRecord, unknownRun } from './errors.js';
import { lifeOf, markSchema, type Decision, type Life, type Mark } from './lifecycle.js';

const prefix = 'marks/';
const openPrefix = 'open/';
/** Written when every open run is named below `open/`: runs of an older release were looked through. */
const indexed = 'open-index';
const digits = 6;
const readsAtOnce = 32;

/** All that was decided about a run, or what is wrong with the record of it. */
export interface History {
  /** Null where the run was never submitted, or where something is wrong. */
  readonly life: Life | null;
  /** How many marks there are: the number of the next. */
  readonly marks: number;
  /** What cannot be read, in a sentence; null where all is well. */
  readonly damage: string | null;
  /** When the last mark was made, ISO 8601. */
  readonly lastAt: string | null;
}

/** @throws RunError `unknown-run`, `damaged-record` */
export function lifeIn(run: string, { life, damage }: History): Life {
  if (damage !== null) throw damagedRecord(run, damage);
  if (life === null) throw unknownRun(run);
  return life;
}

/**
 * The marks of all runs: `marks/<run>/<number>`, numbered from 0 without gaps and created once each. So everybody who
 * reads them sees the same history, and of two who decide at once the second is told that its number is taken and decides
 * again. They lie apart from the artefacts, so that a look at a run's life lists a handful of names.
 *
 * Runs about which there is something to do are named once more below `open/`, so that a pass costs what is open and not what
 * ever was. Whoever opens a run makes its mark, then the name; whoever ends it removes the name, then looks at the marks: so at
 * least one of two at once sees the other.
 *
 * A mark that is damaged or missing is that run's trouble alone.
 */
export class Marks {
  readonly #store: ObjectStore;
  readonly #kept = new Kept<Mark>(keptDocuments);

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async of(run: string): Promise<History> {
    return this.#read(run, await this.record(run));
  }

  /**
   * Every run that has marks, by id in ascending order.
   *
   * @param after only runs after this id
   */
  async *all(after?: string): AsyncGenerator<[run: string, history: History], void, undefined> {
    const start = after === undefined ? undefined : `${prefix}${after}/z`;
    let batch: Promise<[string, History]>[] = [];
    for await (const [run, record] of groupsOf(listAll(this.#store, prefix, start), runOf)) {
      batch.push(this.#read(run, record).then((history) => [run, history]));
      if (batch.length < readsAtOnce) continue;
      yield* await Promise.all(batch);
      batch = [];
    }
    yield* await Promise.all(batch);
  }

  /** The runs about which there is, or may be, something to do: open ones and those that are being deleted. */
  async open(): Promise<readonly string[]> {
    if ((await this.#store.head(indexed)) === null) await this.#index();
    const names = (await entriesBelow(this.#store, openPrefix)).map(({ name }) => name.slice(openPrefix.length));
    return names.filter((name) => sha256Schema.safeParse(name).success);
  }

  /** Their histories, by id in ascending order. */
  async *underWay(after = ''): AsyncGenerator<[run: string, history: History], void, undefined> {
    for (const run of (await this.open()).filter((id) => id > after)) yield [run, await this.of(run)];
  }

  /** @returns the mark, or null where somebody else took the number: read again and decide anew */
  async append(run: string, number: number, decision: Decision): Promise<Mark | null> {
    const mark = { ...decision, id: randomUUID(), at: new Date().toISOString() } as Mark;
    const name = nameOf(run, number);
    try {
      await this.#store.put(name, sealedBytes(mark));
    } catch (error) {
      if (isRefusal(error, 'conflict')) return null;
      throw error;
    }
    this.#kept.set(name, mark);
    if (!isEnd(decision.kind)) await this.nameOpen(run);
    return mark;
  }

  /** Names a run below `open/`; again by whoever asks for the same, where the one who opened it died before it did. */
  async nameOpen(run: string): Promise<void> {
    await this.#store.put(`${openPrefix}${run}`, new Uint8Array());
  }

  /** Takes a run that has come to an end from those that are looked at, unless somebody has opened it again. */
  async close(run: string): Promise<void> {
    await this.#store.delete(`${openPrefix}${run}`);
    if (isUnderWay(await this.of(run))) await this.nameOpen(run);
  }

  /** The objects that a run's record is. */
  record(run: string): Promise<readonly ObjectEntry[]> {
    return entriesBelow(this.#store, `${prefix}${run}/`);
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
      this.#kept.delete(name);
    }
    await this.close(run);
  }

  /** Names the runs of an older release that are open, once. */
  async #index(): Promise<void> {
    for await (const [run, history] of this.all())
      if (isUnderWay(history) || history.damage !== null) await this.nameOpen(run);
    await this.#store.put(indexed, new Uint8Array());
  }

  async #read(run: string, record: readonly ObjectEntry[]): Promise<History> {
    const found = await Promise.all(
      record.map(
        async ({ name }) => [Number(name.slice(name.lastIndexOf('/') + 1)), await this.#mark(run, name)] as const,
      ),
    );
    const marks: [number, Mark][] = [];
    let damage: string | null = null;
    // a submission that says what the run is begins a life: what was before, forgotten or not, is over
    const birth = found.findLastIndex(([, mark]) => typeof mark !== 'string' && isBirth(mark));
    const known = found.slice(Math.max(0, birth));
    // what `forget` has begun: of a run that was removed the first marks go first
    const isWhole = birth >= 0 || known.some(([, mark]) => typeof mark !== 'string' && mark.kind === 'removed');
    let next = isWhole ? known[0]![0] : 0;
    for (const [number, mark] of known) {
      if (number !== next) damage ??= `Mark ${nameOf(run, next)} is missing.`;
      if (typeof mark === 'string') damage ??= mark;
      else marks.push([number, mark]);
      next = number + 1;
    }
    const lastAt = marks.at(-1)?.[1].at ?? null;
    return { life: damage === null ? lifeOf(marks) : null, marks: next, damage, lastAt };
  }

  /** The mark, or what is wrong with it. Only damage is that: a store that is away is an error. */
  async #mark(run: string, name: string): Promise<Mark | string> {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    try {
      const mark = parseDocument(await this.#store.get(name), name, markSchema);
      if (mark.kind === 'submit' && mark.specification !== null && runIdOf(mark.specification) !== run)
        return `Mark ${name} is of another run.`;
      this.#kept.set(name, mark);
      return mark;
    } catch (error) {
      if (error instanceof StorageError && error.code !== 'damaged' && error.code !== 'missing') throw error;
      return `Mark ${name} is damaged.`;
    }
  }
}

function nameOf(run: string, number: number): string {
  return `${prefix}${run}/${String(number).padStart(digits, '0')}`;
}

/** The run that a mark is of; null for other names. */
function runOf(name: string): string | null {
  const run = name.slice(prefix.length, name.lastIndexOf('/'));
  return sha256Schema.safeParse(run).success ? run : null;
}

export function isUnderWay({ life }: History): boolean {
  return life?.standing === 'open' || life?.standing === 'deleting';
}

/** Only where there was no life does a submission carry the specification. */
function isBirth(mark: Mark): boolean {
  return mark.kind === 'submit' && mark.specification !== null;
}

/** Marks after which there is nothing to do. */
function isEnd(kind: Mark['kind']): boolean {
  return kind === 'done' || kind === 'failed' || kind === 'cancel' || kind === 'removed';
}
