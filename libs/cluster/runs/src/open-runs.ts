import { familyOf, personOf, type ClusterGlance, type Submitter } from '@orchard/contracts';
import { Attempts } from './attempts.js';
import { glanceAtCluster } from './cluster-glance.js';
import { StoreDatasets } from './datasets.js';
import { Marks } from './marks.js';
import { PeopleUse } from './people-use.js';
import { OwnExamination, type Examination } from './examination.js';
import type { ReconcilerPorts } from './reconcile-run.js';
import { StoreReconciler, type ReconcilerSettings } from './reconciler.js';
import { RetainedRuns } from './retained-runs.js';
import { StoreRunLife } from './run-life.js';
import { RunCosts, sumCosts, type RunCost } from './run-costs.js';
import { hasEnded, type EndStanding } from './run-names.js';
import { RunPins } from './run-pins.js';
import { RunSheets } from './run-sheets.js';
import { RunStatuses } from './run-statuses.js';
import { RunTasks } from './run-tasks.js';
import type { RunLife, RunObserver } from './runs.js';

/** Data sets as a whole; single ones are registered and read by `@orchard/pipeline`. */
export type Datasets = Pick<StoreDatasets, 'list' | 'remove'>;
export type Reconciler = Pick<StoreReconciler, 'start' | 'stop' | 'reconcileOnce' | 'counts' | 'lastPassAt'>;

export interface Runs {
  readonly life: RunLife;
  readonly reconciler: Reconciler;
  readonly datasets: Datasets;
  readonly tasks: Pick<RunTasks, 'grid' | 'task' | 'likelihood'>;
  /** How many runs of a person are open, or are being removed. @param person as `personOf` says */
  readonly openRunsOf: (person: string) => Promise<number>;
  /** How a run has ended; `open` of one that has not, null of one that is not there or is being deleted. */
  readonly endOf: (run: string) => Promise<RunEnding | 'open' | null>;
  /** What was spent on a run, with what is being spent on one that is open; null where that is not known. */
  readonly costOf: (run: string) => Promise<RunCost | null>;
  readonly pins: RunPins;
  /** Which runs rules do not keep. */
  readonly retained: Pick<RetainedRuns, 'expired' | 'ahead' | 'remove'>;
  /** What is stored for whom. */
  readonly use: Pick<PeopleUse, 'last' | 'within'>;
  /** Of people who have open runs, these and the threads that work on them; costs no request. */
  readonly busyPeople: () => ReadonlyMap<string, BusyPerson>;
  /** What the cluster does at this moment; costs no request to the store. */
  readonly glance: () => Promise<ClusterGlance>;
}

export interface RunEnding {
  /** How many marks the run has: more at its next end. */
  readonly end: number;
  readonly family: string;
  readonly state: EndStanding;
  readonly reason: string | null;
  readonly submittedAt: string;
  readonly endedAt: string;
}

/** As the last pass of the reconciler, and the queue since, have it. */
export interface BusyPerson {
  readonly submitter: Submitter;
  readonly openRuns: number;
  readonly threads: number;
}

type SharedPorts = Pick<ReconcilerPorts, 'store' | 'queues' | 'families' | 'log'>;

interface OwnPorts {
  readonly observer?: RunObserver | undefined;
  /** @default on this thread */
  readonly examination?: Examination | undefined;
}

/** The runs of a store, and the reconciler that sees to them. The reconciler rests until it is started. */
export function openRuns(
  {
    store,
    queues,
    families,
    log,
    observer = {},
    examination = new OwnExamination(store, families),
  }: SharedPorts & OwnPorts,
  settings: ReconcilerSettings = {},
): Runs {
  const marks = new Marks(store);
  const attempts = new Attempts(store);
  const sheets = new RunSheets(store);
  const reconciler = new StoreReconciler({ store, queues, families, marks, attempts, sheets, log, observer }, settings);
  const datasets = new StoreDatasets(store, marks);
  const statuses = new RunStatuses({ store, families, marks, attempts, reconciler, sheets });
  const life = new StoreRunLife({
    store,
    queues,
    families,
    marks,
    attempts,
    sheets,
    statuses,
    reconciler,
    datasets,
    log,
    examination,
  });
  const tasks = new RunTasks({ store, queues, marks, attempts, statuses });
  const glance = (): Promise<ClusterGlance> => glanceAtCluster(families, queues, reconciler);
  const openRunsOf = async (person: string): Promise<number> => {
    const open = await sheets.ofAll(await marks.open());
    return [...open.values()].filter(({ submitter }) => personOf(submitter) === person).length;
  };
  const use = new PeopleUse(store, marks, sheets);
  const endOf = async (run: string): ReturnType<Runs['endOf']> => {
    const { life, marks: end, lastAt } = await marks.of(run);
    if (life === null || life.standing === 'deleting') return null;
    if (!hasEnded(life)) return 'open';
    const { standing: state, reason, submittedAt, specification } = life;
    return { end, family: familyOf(specification), state, reason, submittedAt, endedAt: lastAt ?? submittedAt };
  };
  const costs = new RunCosts(store);
  const costOf = async (run: string): Promise<RunCost | null> => {
    const now = reconciler.tracked(run)?.cost ?? null;
    const before = await costs.of(run);
    return now === null || before === null ? (now ?? before) : sumCosts(before, now);
  };
  const pins = new RunPins(store);
  const retained = new RetainedRuns({ marks, sheets, pins, use, remove: (run) => life.remove(run) });
  const busyPeople = (): ReadonlyMap<string, BusyPerson> => busyIn(reconciler);
  return { life, reconciler, datasets, tasks, glance, openRunsOf, endOf, costOf, pins, retained, use, busyPeople };
}

function busyIn(reconciler: Pick<StoreReconciler, 'allTracked'>): ReadonlyMap<string, BusyPerson> {
  const people = new Map<string, BusyPerson>();
  for (const [, { sheet, threads }] of reconciler.allTracked()) {
    if (sheet === null) continue;
    const { submitter } = sheet;
    const known = people.get(personOf(submitter)) ?? { submitter, openRuns: 0, threads: 0 };
    people.set(personOf(submitter), {
      submitter,
      openRuns: known.openRuns + 1,
      threads: known.threads + threads,
    });
  }
  return people;
}
