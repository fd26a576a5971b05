import {
  baseSpecificationSchema,
  familyOf,
  parseContract,
  runIdOf,
  type BaseSpecification,
  type RunSheet,
  type RunStatus,
  type Wanted,
} from '@orchard/contracts';
import { artefactNames, factsOfSplits, openRun, type Families, type RunDatasets } from '@orchard/pipeline';
import { damagedBy } from './attempts.js';
import type { StoreDatasets } from './datasets.js';
import { damagedRecord, deleting, RunError } from './errors.js';
import type { Examination } from './examination.js';
import { followRun } from './follow-run.js';
import { isAllowed, lifeAfter, sameChoice, type Decision, type Life } from './lifecycle.js';
import { isUnderWay, lifeIn, type History } from './history.js';
import type { ReconcilerPorts } from './reconcile-run.js';
import type { StoreReconciler } from './reconciler.js';
import type { RunStatuses } from './run-statuses.js';
import type { Repaired, RunLife, RunPage, Submitted } from './runs.js';
import type { RunSheets } from './run-sheets.js';

type SharedPorts = Pick<ReconcilerPorts, 'store' | 'queues' | 'families' | 'marks' | 'attempts' | 'log'>;

export interface RunLifePorts extends SharedPorts {
  readonly statuses: RunStatuses;
  readonly reconciler: StoreReconciler;
  readonly datasets: StoreDatasets;
  readonly sheets: RunSheets;
  readonly examination: Examination;
}

/** What people ask of runs: each a decision, marked in the store. */
export class StoreRunLife implements RunLife {
  constructor(private readonly ports: RunLifePorts) {}

  async submit(
    specification: BaseSpecification,
    choice: Wanted,
    datasets?: RunDatasets,
    sheet?: RunSheet,
  ): Promise<Submitted> {
    const checked = parseContract(baseSpecificationSchema, specification, 'run specification');
    const { store, families, reconciler, datasets: deletions, statuses, sheets } = this.ports;
    families.of(checked);
    const id = runIdOf(checked);
    const known = datasets ?? (await factsOfSplits(store, checked));
    let created = false;
    const life = await this.#decide(id, async ({ life }) => {
      // a request that lost the race for the first mark decides again, and has not created the run
      created = false;
      if (life?.standing === 'deleting') throw deleting(id);
      const isAsked = life !== null && sameChoice(life.choice, choice);
      if (isAsked && (life.standing === 'open' || life.standing === 'done')) return null;
      created = life === null;
      // before the mark: every program that sees the run can read whose it is
      if (created && sheet !== undefined) await sheets.write(id, sheet);
      return { kind: 'submit', specification: life === null ? checked : null, choice };
    });
    if (created) {
      await Promise.all([deletions.requireKept(checked), this.#requireAsked(checked)]).catch(async (error: unknown) => {
        // the data or the model went while the run was submitted: it never was
        await this.#decide(id, () => ({ kind: 'delete' }));
        reconciler.requestReconcile(id);
        throw error;
      });
    }
    reconciler.requestReconcile(id, known);
    const starts = created ? reconciler.startOf(id) : null;
    return { id, created, starts, status: await statuses.of(id, life!, { known, isNew: created }) };
  }

  status(id: string): Promise<RunStatus> {
    return this.ports.statuses.status(id);
  }

  list(page?: RunPage): ReturnType<RunLife['list']> {
    return this.ports.statuses.list(page);
  }

  events(id: string, signal?: AbortSignal): AsyncIterable<RunStatus> {
    return followRun(this.ports.statuses, this.ports.reconciler, id, signal);
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
    const { marks, attempts, reconciler } = this.ports;
    const known = lifeIn(id, await marks.of(id));
    await this.#requireAsked(known.specification);
    const isUntroubled = known.standing === 'open' && (await attempts.of(id, known.epoch)).attempts.size === 0;
    await this.#decideKnown(id, (life) => {
      if (life.standing === 'done' || (isUntroubled && life.standing === 'open')) return null;
      return { kind: 'resume' };
    });
    reconciler.requestReconcile(id);
  }

  async repair(id: string): Promise<Repaired> {
    const { store, marks, attempts, statuses, reconciler, examination } = this.ports;
    const life = lifeIn(id, await marks.of(id));
    if (life.standing === 'deleting') throw deleting(id);
    const { attempts: tried } = await attempts.of(id, life.epoch);
    const named = [...life.damaged, ...[...tried.values()].flat().flatMap(({ damaged }) => damaged ?? [])];
    const broken = await openRun(store, id).then(() => null, damagedBy);
    if (broken !== null) named.push(broken);
    const { family, run, plan } = await statuses.described(life);
    if (family !== null && run !== null) {
      for (const name of await examination.artefacts(run.specification)) named.push(name);
    }
    // what a run stored is computed again: at once where its network lacks it, else by the selection or refit that
    // asks for it; a data set can only be uploaded again, which heals it
    const own = [...new Set(named)].filter((name) => name.startsWith(artefactNames.run(id)));
    for (const name of own) await store.delete(name);
    // of objects that ended a run: only these are read
    const rows = [...new Set(life.damaged)].filter((name) => name.startsWith(artefactNames.datasets));
    const datasets = life.standing === 'failed' ? await examination.datasets(rows) : [];
    // it would fail by the same rows again
    if (datasets.length > 0) return { dropped: own, lost: 0, datasets };
    // of a run that is done nothing is missing, unless it was taken from the store
    const lost = life.standing === 'done' ? (plan?.tasks.length ?? 0) : 0;
    await this.#decideKnown(id, (now) => {
      // what is done is opened again by asking for the same once more
      if (now.standing === 'done') return own.length + lost === 0 ? null : { kind: 'select', choice: now.choice };
      return { kind: 'resume' };
    });
    reconciler.requestReconcile(id);
    return { dropped: own, lost, datasets };
  }

  async select(id: string, choice: Wanted): Promise<void> {
    const { families } = this.ports;
    await this.#decideKnown(id, (life) => {
      const family = families.of(life.specification);
      parseContract(family.wanted, choice, 'network choice');
      family.checkWanted?.(life.specification, choice);
      if (life.standing === 'cancelled') {
        throw notNow(id, life, 'cancelled', 'a run that is under way or has ended by itself', 'Resume it first.');
      }
      return sameChoice(life.choice, choice) && life.standing !== 'failed' ? null : { kind: 'select', choice };
    });
    this.ports.reconciler.requestReconcile(id);
  }

  async remove(id: string): Promise<void> {
    const { marks } = this.ports;
    const { life, damage } = await marks.of(id);
    if (life?.standing === 'deleting') return;
    if (damage !== null) {
      // it cannot be known what this run was: what it stored is garbage once its record is gone
      await marks.forget(id, await marks.record(id));
      return;
    }
    await this.#requireUnasked(id);
    // of two who delete at once the second finds done what it asks for
    await this.#decide(id, (history) => (lifeIn(id, history).standing === 'deleting' ? null : { kind: 'delete' }));
    await this.#stopWork(id);
  }

  /** @throws RunError `unknown-run`, `deleting` where the run whose model is asked is not there any more */
  async #requireAsked(specification: BaseSpecification): Promise<void> {
    const asked = askedBy(this.ports.families, specification);
    if (asked === null) return;
    const { life } = await this.ports.marks.of(asked);
    if (life?.standing === 'deleting') throw deleting(asked);
    if (life !== null) return;
    throw new RunError('unknown-run', {
      got: `run ${asked}, whose model is to be asked and which was deleted`,
      expected: 'a run that is there',
      remedy: 'Submit that run again: it computes the same model.',
    });
  }

  /** @throws RunError `run-in-use` while runs ask its model: what they have still to ask would be gone */
  async #requireUnasked(id: string): Promise<void> {
    const { families, marks } = this.ports;
    for await (const [run, { life }] of marks.underWay()) {
      if (life?.standing !== 'open' || askedBy(families, life.specification) !== id) continue;
      throw new RunError('run-in-use', {
        got: `run ${id}, whose model run ${run} (${familyOf(life.specification)}) is asking`,
        expected: 'a run whose model no run asks',
        remedy: `Wait until that run has ended, or cancel it: orchard cancel ${run.slice(0, 12)}.`,
      });
    }
  }

  /** Appends what `decide` says about the run as it is then; null leaves it as it is. */
  async #decideKnown(id: string, decide: (life: Life) => Decision | null): Promise<void> {
    await this.#decide(id, (history) => {
      const life = lifeIn(id, history);
      if (life.standing === 'deleting') throw deleting(id);
      return decide(life);
    });
  }

  /** @returns the run's life with what was decided */
  async #decide(
    id: string,
    decide: (history: History) => Decision | null | Promise<Decision | null>,
  ): Promise<Life | null> {
    const { marks, log } = this.ports;
    for (;;) {
      const history = await marks.of(id);
      if (history.damage !== null) throw damagedRecord(id, history.damage);
      const decision = await decide(history);
      if (decision === null) {
        if (isUnderWay(history)) await marks.nameOpen(id);
        return history.life;
      }
      const mark = await marks.append(id, history.marks, decision);
      if (mark === null) continue;
      log.info({ run: id, mark: decision.kind }, 'decided');
      return lifeAfter(history.life, mark, history.marks);
    }
  }

  /** What cannot be sent to Redis now the reconciler sends later: the mark is made. */
  async #stopWork(id: string): Promise<void> {
    const { queues, reconciler, log } = this.ports;
    await queues.requestStop(id).catch((error: unknown) => {
      log.warn({ run: id, error }, 'workers could not be notified at once');
    });
    reconciler.requestReconcile(id);
  }
}

/** The run whose model such a run asks; null of all that train. */
function askedBy(families: Families, specification: BaseSpecification): string | null {
  if (!families.has(familyOf(specification))) return null;
  return families.of(specification).askedRun?.(specification) ?? null;
}

function notNow(id: string, life: Life, code: 'ended' | 'cancelled', expected: string, remedy: string): RunError {
  return new RunError(code, { got: `a run that is ${life.standing}`, expected, where: `run ${id}`, remedy });
}
