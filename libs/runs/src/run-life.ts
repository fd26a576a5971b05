import {
  baseSpecificationSchema,
  endStates,
  parseContract,
  runIdOf,
  type BaseSpecification,
  type RunOverview,
  type RunStatus,
  type Wanted,
} from '@orchard/contracts';
import {
  artefactNames,
  damagedArtefacts,
  describeRun,
  factsOfSplits,
  type Families,
  type Plan,
  type RunDatasets,
} from '@orchard/pipeline';
import type { JobQueues } from '@orchard/queue';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { noFailures, type Attempts } from './attempts.js';
import type { StoreDatasets } from './datasets.js';
import { RunError, unknownRun } from './errors.js';
import { isAllowed, lifeAfter, sameChoice, type Decision, type Life } from './lifecycle.js';
import type { History, Marks } from './marks.js';
import { isForOthers } from './reconcile-run.js';
import type { StoreReconciler } from './reconciler.js';
import type { RunLife, RunLog, RunPage } from './runs.js';
import { overviewOf, statusOf, type Inspection } from './status.js';

export interface RunLifePorts {
  readonly store: ObjectStore;
  readonly queues: JobQueues;
  readonly families: Families;
  readonly marks: Marks;
  readonly attempts: Attempts;
  readonly reconciler: StoreReconciler;
  readonly datasets: StoreDatasets;
  readonly log: RunLog;
}

const eventMilliseconds = 1_000;
/** What is decided elsewhere is found by looking at the store; between two looks this process's reconciler is believed. */
const lookMilliseconds = 3_000;

export class StoreRunLife implements RunLife {
  readonly #ports: RunLifePorts;

  constructor(ports: RunLifePorts) {
    this.#ports = ports;
  }

  async submit(
    specification: BaseSpecification,
    choice: Wanted,
    datasets?: RunDatasets,
  ): Promise<{ id: string; created: boolean; status: RunStatus }> {
    const checked = parseContract(baseSpecificationSchema, specification, 'run specification');
    const { store, families, reconciler, datasets: deletions } = this.#ports;
    families.of(checked);
    const id = runIdOf(checked);
    const known = datasets ?? (await factsOfSplits(store, checked));
    let created = false;
    const life = await this.#decide(id, ({ life }) => {
      // whoever lost the race for the first mark decides again, and has not created the run
      created = false;
      if (life?.standing === 'deleting') throw deleting(id);
      const isAsked = life !== null && sameChoice(life.choice, choice);
      if (isAsked && (life.standing === 'open' || life.standing === 'done')) return null;
      created = life === null;
      return { kind: 'submit', specification: life === null ? checked : null, choice };
    });
    if (created) {
      await deletions.requireKept(checked).catch(async (error: unknown) => {
        // the data went while the run was submitted: it never was
        await this.#decide(id, () => ({ kind: 'delete' }));
        reconciler.requestReconcile(id);
        throw error;
      });
    }
    reconciler.requestReconcile(id);
    return { id, created, status: await this.#statusOf(id, life!, { known, isNew: created }) };
  }

  async status(id: string): Promise<RunStatus> {
    const { life, damage } = await this.#ports.marks.of(id);
    if (damage !== null) throw damagedRecord(id, damage);
    if (life === null) throw unknownRun(id);
    return this.#statusOf(id, life);
  }

  async list({ state, after, limit = 100 }: RunPage = {}): Promise<{
    runs: readonly RunOverview[];
    next: string | null;
  }> {
    const { marks, families } = this.#ports;
    const runs: RunOverview[] = [];
    for await (const [id, { life, damage, lastAt }] of marks.all(after)) {
      const overview =
        damage !== null
          ? damagedOverview(id, damage, lastAt)
          : life === null
            ? null
            : overviewOf(id, life, families, life.standing === 'open' ? await this.#plan(id, life) : null);
      if (overview === null || (state !== undefined && overview.state !== state)) continue;
      if (runs.length === limit) return { runs, next: runs.at(-1)!.id };
      runs.push(overview);
    }
    return { runs, next: null };
  }

  async cancel(id: string): Promise<void> {
    await this.#decideKnown(id, (life) => {
      if (life.standing === 'cancelled') return null;
      if (!isAllowed(life, 'cancel')) throw notNow(id, life, 'ended', 'a run that is under way', 'Leave it as it is.');
      return { kind: 'cancel' };
    });
    await this.#stopWork(id);
  }

  async resume(id: string): Promise<void> {
    const { attempts, reconciler } = this.#ports;
    const known = await this.#life(id);
    const isUntroubled = known.standing === 'open' && (await attempts.of(id, known.epoch)).attempts.size === 0;
    await this.#decideKnown(id, (life) => {
      if (life.standing === 'done' || (isUntroubled && life.standing === 'open')) return null;
      return { kind: 'resume' };
    });
    reconciler.requestReconcile(id);
  }

  async repair(id: string): Promise<readonly string[]> {
    const { store, families, attempts, reconciler } = this.#ports;
    const life = await this.#life(id);
    if (life.standing === 'deleting') throw deleting(id);
    const { attempts: tried } = await attempts.of(id, life.epoch);
    const named = [...life.damaged, ...[...tried.values()].flat().flatMap(({ damaged }) => damaged ?? [])];
    const described = await this.#described(life);
    if (described?.run) {
      named.push(...(await damagedArtefacts(store, families.of(life.specification), described.run)));
    }
    // what a run stored is computed again; a data set can only be uploaded again, which heals it
    const own = [...new Set(named)].filter((name) => name.startsWith(artefactNames.run(id)));
    for (const name of own) await store.delete(name);
    await this.#decideKnown(id, (now) => {
      // what is done is opened again by asking for the same once more
      if (now.standing === 'done') return own.length === 0 ? null : { kind: 'select', choice: now.choice };
      return { kind: 'resume' };
    });
    reconciler.requestReconcile(id);
    return own;
  }

  async select(id: string, choice: Wanted): Promise<void> {
    const { families } = this.#ports;
    await this.#decideKnown(id, (life) => {
      parseContract(families.of(life.specification).wanted, choice, 'network choice');
      if (life.standing === 'cancelled') {
        throw notNow(id, life, 'cancelled', 'a run that is under way or has ended by itself', 'Resume it first.');
      }
      return sameChoice(life.choice, choice) && life.standing !== 'failed' ? null : { kind: 'select', choice };
    });
    this.#ports.reconciler.requestReconcile(id);
  }

  async remove(id: string): Promise<void> {
    const { marks } = this.#ports;
    const { life, damage } = await marks.of(id);
    if (life?.standing === 'deleting') return;
    if (damage !== null) {
      // nobody can say what this run was: what it stored is garbage once its record is gone
      await marks.forget(id, await marks.record(id));
      return;
    }
    await this.#decideKnown(id, () => ({ kind: 'delete' }));
    await this.#stopWork(id);
  }

  async *events(id: string, signal?: AbortSignal): AsyncIterable<RunStatus> {
    let told = '';
    let lookedAt = -Infinity;
    for (;;) {
      const begun = performance.now();
      const changed = this.#nextChange(id, signal);
      let status: RunStatus;
      try {
        const known = begun - lookedAt < lookMilliseconds ? this.#known(id) : null;
        if (known === null) lookedAt = begun;
        const { store, families } = this.#ports;
        status = known === null ? await this.status(id) : await statusOf(store, families, id, known);
      } catch (error) {
        if (told !== '' && isRefusal(error, 'unknown-run')) return;
        throw error;
      }
      const text = JSON.stringify(status);
      if (text !== told) yield status;
      told = text;
      if ((endStates as readonly string[]).includes(status.state)) return;
      await changed;
      await pause(eventMilliseconds - (performance.now() - begun), signal);
      if (signal?.aborted === true) return;
    }
  }

  /** Appends what `decide` says about the run as it is then; null leaves it as it is. */
  async #decideKnown(id: string, decide: (life: Life) => Decision | null): Promise<void> {
    await this.#decide(id, ({ life }) => {
      if (life === null) throw unknownRun(id);
      if (life.standing === 'deleting') throw deleting(id);
      return decide(life);
    });
  }

  /** @returns the run's life with what was decided */
  async #decide(id: string, decide: (history: History) => Decision | null): Promise<Life | null> {
    const { marks, log } = this.#ports;
    for (;;) {
      const history = await marks.of(id);
      if (history.damage !== null) throw damagedRecord(id, history.damage);
      const decision = decide(history);
      if (decision === null) return history.life;
      const mark = await marks.append(id, history.marks, decision);
      if (mark === null) continue;
      log.info({ run: id, mark: decision.kind }, 'decided');
      return lifeAfter(history.life, mark, history.marks);
    }
  }

  async #life(id: string): Promise<Life> {
    const { life, damage } = await this.#ports.marks.of(id);
    if (damage !== null) throw damagedRecord(id, damage);
    if (life === null) throw unknownRun(id);
    return life;
  }

  /** Null where the run cannot be opened any more, or is of a release that is not known here. */
  async #plan(id: string, life: Life): Promise<Plan | null> {
    const known = this.#ports.reconciler.tracked(id)?.plan ?? null;
    return known ?? (await this.#described(life))?.plan ?? null;
  }

  /** The run as its marks and what is stored tell it. */
  async #described(life: Life, datasets?: RunDatasets): Promise<Pick<Inspection, 'run' | 'plan'> | null> {
    const { store, families } = this.#ports;
    if (isForOthers({ families }, life)) return null;
    try {
      const run = await describeRun(store, life.specification, datasets);
      const family = families.of(life.specification);
      return { run, plan: await family.missing(store, run, life.choices, { withReport: true }) };
    } catch {
      // a run without its data sets, or half deleted, still has a status
      return null;
    }
  }

  /** What the reconciler of this process knew at its last look; null where it has not looked. */
  #known(id: string): Inspection | null {
    const tracked = this.#ports.reconciler.tracked(id);
    if (tracked === null || tracked.plan === null) return null;
    const { life, family, run, plan, failures } = tracked;
    return { life, family, run, plan, failures, tracked };
  }

  /** @param about what the caller has just read or made, and need not be asked for again */
  async #statusOf(
    id: string,
    life: Life,
    about: { readonly known?: RunDatasets; readonly isNew?: boolean } = {},
  ): Promise<RunStatus> {
    return statusOf(this.#ports.store, this.#ports.families, id, await this.#inspect(id, life, about));
  }

  async #inspect(
    id: string,
    life: Life,
    { known: datasets, isNew = false }: { readonly known?: RunDatasets; readonly isNew?: boolean },
  ): Promise<Inspection> {
    const { attempts, families, reconciler } = this.#ports;
    const known = this.#known(id);
    if (known !== null && known.life.epoch === life.epoch && known.life.standing === life.standing) {
      const isSame = known.life.choices.length === life.choices.length && sameChoice(known.life.choice, life.choice);
      if (isSame) return known;
    }
    const described = await this.#described(life, datasets);
    const family = described === null ? null : families.of(life.specification);
    const failures = isNew || life.standing === 'deleting' ? noFailures : await attempts.of(id, life.epoch);
    const tracked = reconciler.tracked(id);
    return {
      life,
      family,
      run: described?.run ?? null,
      plan: described?.plan ?? null,
      failures,
      tracked: tracked?.life.epoch === life.epoch ? tracked : null,
      notices: isForOthers({ families }, life) ? [otherRelease(life)] : undefined,
    };
  }

  /** What Redis cannot be told now the reconciler tells it later: the mark is made. */
  async #stopWork(id: string): Promise<void> {
    const { queues, reconciler, log } = this.#ports;
    await queues.requestStop(id).catch((error: unknown) => {
      log.warn({ run: id, error }, 'workers could not be told at once');
    });
    reconciler.requestReconcile(id);
  }

  #nextChange(id: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        stopListening();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const stopListening = this.#ports.reconciler.onChange((changed) => {
        if (changed === id) done();
      });
      const timer = setTimeout(done, lookMilliseconds);
      signal?.addEventListener('abort', done);
    });
  }
}

/** Ends early when the signal aborts, and leaves no listener behind: a stream pauses each second on one signal. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, milliseconds));
    signal?.addEventListener('abort', done);
  });
}

/** How a run whose record is damaged shows among the others. */
function damagedOverview(id: string, damage: string, lastAt: string | null): RunOverview {
  const submittedAt = lastAt ?? new Date(0).toISOString();
  return { id, family: 'unknown', state: 'failed', submittedAt, choice: {}, reason: `${damage} ${damageRemedy}` };
}

const damageRemedy = 'Delete the run and submit it again: what it stored is found again or computed to the same bytes.';

function damagedRecord(id: string, damage: string): RunError {
  return new RunError('damaged-record', {
    got: `a damaged record: ${damage.replace(/\.$/, '')}`,
    expected: 'the marks that were made',
    where: `run ${id}`,
    remedy: damageRemedy,
  });
}

function otherRelease({ specification, submittedAt }: Life): RunStatus['waits'][number] {
  const { numericsVersion, family = 'lbarn' } = specification;
  const message =
    `The run is of model ${family}, numerics version ${numericsVersion}, which this coordinator does not compute: ` +
    'it is left to a release that does. To compute it here, submit it anew.';
  return { code: 'other-release', message, since: submittedAt };
}

function deleting(id: string): RunError {
  const remedy = 'Ask again in a few seconds.';
  return new RunError('deleting', {
    got: 'a run that is being deleted',
    expected: 'its removal to end',
    where: `run ${id}`,
    remedy,
  });
}

function notNow(id: string, life: Life, code: 'ended' | 'cancelled', expected: string, remedy: string): RunError {
  return new RunError(code, { got: `a run that is ${life.standing}`, expected, where: `run ${id}`, remedy });
}
