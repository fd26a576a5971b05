import {
  runSpecificationSchema,
  parseContract,
  runIdOf,
  type NetworkChoice,
  type RunSpecification,
} from '@orchard/contracts';
import { createRun, datasetFacts, openRun } from '@orchard/pipeline';
import type { JobQueues } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import { agendaOf } from './agenda.js';
import type { Attempts } from './attempts.js';
import { RunError, unknownRun } from './errors.js';
import { cellOf, lifeOf, sameChoice, type Life } from './life.js';
import type { Decision, Marks } from './marks.js';
import type { StoreReconciler } from './reconciler.js';
import type { RunOverview, RunStatus } from './run-status.js';
import type { RunLife, RunLog, RunPage } from './runs.js';
import { overviewOf, statusOf, type Inspection } from './status.js';

export interface RunLifePorts {
  readonly store: ObjectStore;
  readonly queues: JobQueues;
  readonly marks: Marks;
  readonly attempts: Attempts;
  readonly reconciler: StoreReconciler;
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

  async submit(specification: RunSpecification, choice: NetworkChoice): Promise<{ id: string; created: boolean }> {
    const checked = parseContract(runSpecificationSchema, specification, 'run specification');
    const { store } = this.#ports;
    const id = runIdOf(checked);
    for (const data of [checked.train, checked.valid, checked.test]) if (data !== null) await datasetFacts(store, data);
    let created = false;
    await this.#decide(id, (life) => {
      // whoever lost the race for the first mark decides again, and has not created the run
      created = false;
      if (life?.standing === 'deleting') throw deleting(id);
      const isAsked = life !== null && sameChoice(life.choice, choice);
      if (isAsked && (life.standing === 'open' || life.standing === 'done')) return null;
      created = life === null || life.standing === 'deleted';
      return { kind: 'submit', specification: checked, choice };
    });
    await createRun(store, checked);
    this.#ports.reconciler.poke(id);
    return { id, created };
  }

  async status(id: string): Promise<RunStatus> {
    return statusOf(this.#ports.store, id, await this.#inspect(id));
  }

  async list({ state, after, limit = 100 }: RunPage = {}): Promise<{
    runs: readonly RunOverview[];
    next: string | null;
  }> {
    const runs: RunOverview[] = [];
    for (const [id, marks] of await this.#ports.marks.all()) {
      const life = lifeOf(marks);
      if (life === null || life.standing === 'deleted' || (after !== undefined && id <= after)) continue;
      const overview = overviewOf(id, life, life.standing === 'open' ? await this.#agenda(id, life) : null);
      if (state !== undefined && overview.state !== state) continue;
      if (runs.length === limit) return { runs, next: runs.at(-1)!.id };
      runs.push(overview);
    }
    return { runs, next: null };
  }

  async cancel(id: string): Promise<void> {
    await this.#decideKnown(id, (life) => {
      if (life.standing === 'cancelled') return null;
      if (cellOf(life, 'cancel') === null)
        throw notNow(id, life, 'ended', 'a run that is under way', 'Leave it as it is.');
      return { kind: 'cancel' };
    });
    await this.#stopWork(id);
  }

  async resume(id: string): Promise<void> {
    const { attempts, reconciler } = this.#ports;
    const known = await this.#life(id);
    const isUntroubled = known.standing === 'open' && (await attempts.troubles(id, known.epoch)).failures.size === 0;
    await this.#decideKnown(id, (life) => {
      if (life.standing === 'done' || (isUntroubled && life.standing === 'open')) return null;
      return { kind: 'resume' };
    });
    reconciler.poke(id);
  }

  async select(id: string, choice: NetworkChoice): Promise<void> {
    await this.#decideKnown(id, (life) => {
      if (life.standing === 'cancelled') {
        throw notNow(id, life, 'cancelled', 'a run that is under way or has ended by itself', 'Resume it first.');
      }
      return sameChoice(life.choice, choice) && life.standing !== 'failed' ? null : { kind: 'select', choice };
    });
    this.#ports.reconciler.poke(id);
  }

  async remove(id: string): Promise<void> {
    const life = lifeOf(await this.#ports.marks.of(id));
    if (life?.standing === 'deleting') return;
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
        status = known === null ? await this.status(id) : await statusOf(this.#ports.store, id, known);
      } catch (error) {
        if (told !== '' && error instanceof RunError && error.code === 'unknown-run') return;
        throw error;
      }
      const text = JSON.stringify(status);
      if (text !== told) yield status;
      told = text;
      if (status.state === 'done' || status.state === 'failed' || status.state === 'cancelled') return;
      await changed;
      await pause(eventMilliseconds - (performance.now() - begun), signal);
      if (signal?.aborted === true) return;
    }
  }

  /** Appends what `decide` says about the run as it is then; null leaves it as it is. */
  #decideKnown(id: string, decide: (life: Life) => Decision | null): Promise<void> {
    return this.#decide(id, (life) => {
      if (life === null || life.standing === 'deleted') throw unknownRun(id);
      if (life.standing === 'deleting') throw deleting(id);
      return decide(life);
    });
  }

  async #decide(id: string, decide: (life: Life | null) => Decision | null): Promise<void> {
    const { marks, log } = this.#ports;
    for (;;) {
      const history = await marks.of(id);
      const decision = decide(lifeOf(history));
      if (decision === null) return;
      if (!(await marks.append(id, history.length, decision))) continue;
      log.info({ run: id, mark: decision.kind }, 'decided');
      return;
    }
  }

  async #life(id: string): Promise<Life> {
    const life = lifeOf(await this.#ports.marks.of(id));
    if (life === null || life.standing === 'deleted') throw unknownRun(id);
    return life;
  }

  async #agenda(id: string, life: Life): Promise<Inspection['agenda']> {
    const known = this.#ports.reconciler.openRun(id)?.agenda ?? null;
    if (known !== null) return known;
    const { store } = this.#ports;
    return agendaOf(store, await openRun(store, id), life).catch(() => null);
  }

  /** What the reconciler of this process knew at its last look; null where it has not looked. */
  #known(id: string): Inspection | null {
    const open = this.#ports.reconciler.openRun(id);
    if (open === null || open.agenda === null) return null;
    const { life, run, agenda, troubles } = open;
    return { life, run, agenda, troubles, open };
  }

  async #inspect(id: string): Promise<Inspection> {
    const { store, attempts } = this.#ports;
    const life = await this.#life(id);
    const known = this.#known(id);
    if (known?.life.marks === life.marks) return known;
    // a run without its data sets, or half deleted, still has a status
    const run = await openRun(store, id).catch(() => null);
    const agenda = run === null ? null : await agendaOf(store, run, life);
    return { life, run, agenda, troubles: await attempts.troubles(id, life.epoch), open: null };
  }

  /** What Redis cannot be told now the reconciler tells it later: the mark is made. */
  async #stopWork(id: string): Promise<void> {
    const { queues, reconciler, log } = this.#ports;
    await queues.requestStop(id).catch((error: unknown) => {
      log.warn({ run: id, error }, 'workers could not be told at once');
    });
    reconciler.poke(id);
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
