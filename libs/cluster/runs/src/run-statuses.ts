import { endStates, familyOf, type RunOverview, type RunStatus, type Wanted } from '@orchard/contracts';
import { isRefusal } from '@orchard/refusal';
import { artefactNames, describeRun, type Families, type RunDatasets } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { LRUCache } from 'lru-cache';
import { noFailures } from './attempts.js';
import { damageRemedy, RunError } from './errors.js';
import { sameAsking, type Life } from './lifecycle.js';
import { lifeIn, type History } from './history.js';
import { isForOthers } from './other-release.js';
import type { ReconcilerPorts } from './reconcile-run.js';
import type { StoreReconciler } from './reconciler.js';
import { hasEnded, type EndedLife } from './run-names.js';
import { asksForSheets, matches, newestFirst } from './run-filter.js';
import type { RunSheets } from './run-sheets.js';
import type { RunPage } from './runs.js';
import { seenOnce } from './seen-once.js';
import { failuresOfTheStore, overviewOf, statusOf, type Inspection } from './status.js';

export interface RunStatusesPorts extends Pick<ReconcilerPorts, 'store' | 'families' | 'marks' | 'attempts'> {
  readonly reconciler: Pick<StoreReconciler, 'tracked' | 'outages' | 'deletionOf'>;
  readonly sheets: Pick<RunSheets, 'ofAll'>;
}

/** What was found of a run that has ended, and after which mark. */
interface Ended {
  readonly lastMark: string;
  readonly inspection: Promise<Inspection>;
}

/** A run, and what was decided about it. */
export type Found = readonly [run: string, history: History];

const mostEnded = 100;
const sheetsAtOnce = 64;
/** Workers may still store what they had in hand of a run that was cancelled or has failed. */
const unsettledMilliseconds = 60_000;

/** Runs derived from their marks and artefacts; for those of this process, its reconciler knows more. */
export class RunStatuses {
  /** By run: of a hundred thousand tasks, looking takes half a minute. */
  readonly #ended = new LRUCache<string, Ended>({ max: mostEnded });

  constructor(private readonly ports: RunStatusesPorts) {}

  /** While the store is away or refuses: as this process last saw the run, and that it is. */
  async status(id: string): Promise<RunStatus> {
    try {
      const history = await this.ports.marks.of(id);
      const life = lifeIn(id, history);
      return await (hasEnded(life) ? this.#ofEnded(id, life, history) : this.of(id, life));
    } catch (error) {
      const last = isRefusal(error, ...failuresOfTheStore) ? await this.lastKnown(id) : null;
      if (last === null) throw error;
      return last;
    }
  }

  /** @param about what the caller has just read or made, and need not be asked for again */
  async of(
    id: string,
    life: Life,
    { known, isNew = false }: { readonly known?: RunDatasets; readonly isNew?: boolean } = {},
  ): Promise<RunStatus> {
    const { store, families, reconciler } = this.ports;
    const tracked = reconciler.tracked(id);
    if (tracked !== null && tracked.plan !== null && sameAsking(tracked.life, life))
      return statusOf(store, families, id, tracked, tracked, reconciler.outages());
    return this.#told(id, await this.#inspect(id, life, known, isNew));
  }

  /** What is found of a run that has ended stays so until its next mark. */
  async #ofEnded(id: string, life: EndedLife, { marks, lastAt }: History): Promise<RunStatus> {
    const lastMark = `${String(marks)} ${String(lastAt)}`;
    let ended = this.#ended.get(id);
    if (ended?.lastMark !== lastMark) {
      ended = { lastMark, inspection: this.#inspect(id, life) };
      this.#ended.set(id, ended, { ttl: life.standing === 'done' ? 0 : unsettledMilliseconds });
    }
    try {
      return await this.#told(id, await ended.inspection);
    } catch (error) {
      this.#ended.delete(id);
      throw error;
    }
  }

  async #inspect(id: string, life: Life, known?: RunDatasets, isNew = false): Promise<Inspection> {
    const { store, attempts } = this.ports;
    const look = seenOnce(store, artefactNames.run(id));
    const described = await this.described(life, known, look);
    const models = described.plan === null ? await storedModels(look, this.ports.families, id, life) : [];
    const failures = isNew || life.standing === 'deleting' ? noFailures : await attempts.of(id, life.epoch, look);
    return { life, models, failures, ...described };
  }

  #told(id: string, inspection: Inspection): Promise<RunStatus> {
    const { store, families, reconciler } = this.ports;
    const tracked = reconciler.tracked(id);
    const isTracked = tracked?.life.epoch === inspection.life.epoch;
    const deletion = reconciler.deletionOf(id);
    return statusOf(store, families, id, inspection, isTracked ? tracked : null, reconciler.outages(), deletion);
  }

  /** As the reconciler of this process saw it at its last look; null where it has not looked. */
  async lastKnown(id: string): Promise<RunStatus | null> {
    const { store, families, reconciler } = this.ports;
    const tracked = reconciler.tracked(id);
    if (tracked === null || tracked.plan === null) return null;
    return statusOf(store, families, id, tracked, tracked, reconciler.outages());
  }

  async list(page: RunPage = {}): Promise<{ runs: readonly RunOverview[]; next: string | null }> {
    const { state, after, limit = 100, order = 'id' } = page;
    const found =
      order === 'id'
        ? this.#matching(page, this.#historiesOf(state, after))
        : this.#newest(page, this.#historiesOf(state));
    const runs: RunOverview[] = [];
    for await (const [id, history] of found) {
      const overview = await this.#overview(id, history);
      if (overview === null || (state !== undefined && overview.state !== state)) continue;
      if (runs.length === limit) return { runs, next: runs.at(-1)!.id };
      runs.push(overview);
    }
    return { runs, next: null };
  }

  /** Of some histories those that a page asks for; sheets are read only where it asks for them. */
  async *#matching(page: RunPage, histories: AsyncIterable<Found>): AsyncGenerator<Found, void, undefined> {
    let batch: Found[] = [];
    for await (const found of histories) {
      batch.push(found);
      if (batch.length < (asksForSheets(page) ? sheetsAtOnce : 1)) continue;
      yield* await this.#matchingOf(page, batch);
      batch = [];
    }
    yield* await this.#matchingOf(page, batch);
  }

  async #matchingOf(page: RunPage, batch: readonly Found[]): Promise<Found[]> {
    const ids = batch.map(([id]) => id);
    const sheets = asksForSheets(page) ? await this.ports.sheets.ofAll(ids) : new Map<string, never>();
    return batch.filter(([id, { life }]) => matches(page, life, sheets.get(id) ?? null));
  }

  /** Reads every run's marks: names of runs do not say when they began. */
  async *#newest(page: RunPage, histories: AsyncIterable<Found>): AsyncGenerator<Found, void, undefined> {
    const { after } = page;
    const last: Found | null = after === undefined ? null : [after, await this.#lastOfPage(after)];
    const all: Found[] = [];
    for await (const found of this.#matching(page, histories)) all.push(found);
    yield* newestFirst(all, last);
  }

  /** @throws RunError `unknown-run` where it is not known any more when it was submitted */
  async #lastOfPage(after: string): Promise<History> {
    const history = await this.ports.marks.of(after);
    if (history.marks > 0) return history;
    throw new RunError('unknown-run', {
      got: `run ${after}, of which there is no record (any more)`,
      expected: 'a run of the page before',
      where: 'query, "after"',
      remedy: 'List the runs anew, without after.',
    });
  }

  /** Histories among which those are of all runs in a state. */
  #historiesOf(state: string | undefined, after?: string): AsyncIterable<[run: string, history: History]> {
    const { marks } = this.ports;
    const end = endStates.find((one) => one === state);
    if (end !== undefined) return marks.ended(end, after);
    return state === undefined ? marks.all(after) : marks.underWay(after);
  }

  /**
   * What of a run is stored and missing; nulls where it cannot be opened any more, or is of a release that is not known
   * here.
   */
  async described(
    life: Life,
    known?: RunDatasets,
    store: ObjectStore = this.ports.store,
  ): Promise<Pick<Inspection, 'family' | 'run' | 'plan'>> {
    const { families } = this.ports;
    if (isForOthers(families, life)) return undescribed;
    try {
      const run = await describeRun(store, life.specification, known);
      const family = families.of(life.specification);
      return { family, run, plan: await family.missing(store, run, life.choices, { withReport: true }) };
    } catch (error) {
      // a run without its data sets, half deleted or damaged still has a status; a store that is away has nothing to
      // say about it
      if (isRefusal(error, ...failuresOfTheStore)) throw error;
      return undescribed;
    }
  }

  async #overview(id: string, { life, damage, lastAt, bornAt }: History): Promise<RunOverview | null> {
    const { families, reconciler } = this.ports;
    if (damage !== null) {
      const submittedAt = bornAt ?? lastAt ?? new Date(0).toISOString();
      return { id, family: 'unknown', state: 'failed', submittedAt, choice: {}, reason: `${damage} ${damageRemedy}` };
    }
    if (life === null) return null;
    const isOpen = life.standing === 'open';
    return overviewOf(
      id,
      life,
      families,
      isOpen ? (reconciler.tracked(id)?.plan ?? (await this.described(life)).plan) : null,
    );
  }
}

/** Of all that was asked for: a model is read for ever, whichever release has made it. */
async function storedModels(
  store: ObjectStore,
  families: Families,
  id: string,
  { specification, choices }: Life,
): Promise<readonly Wanted[]> {
  if (!families.has(familyOf(specification))) return [];
  const family = families.of(specification);
  const isStored = await Promise.all(
    choices.map(async (choice) => {
      const name = family.wantedName(choice);
      const files = [artefactNames.network(id, name), artefactNames.summary(id, name)];
      return (await Promise.all(files.map((file) => store.head(file)))).every((entry) => entry !== null);
    }),
  );
  return choices.filter((_, place) => isStored[place]);
}

const undescribed = { family: null, run: null, plan: null } as const;
