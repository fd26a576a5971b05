import type { BaseSpecification, ModelSummary, RunProgress, Wanted } from '@orchard/contracts';
import { modelSummarySchema, unknownTimeLeft } from '@orchard/contracts';
import type { Kernel } from '@orchard/kernel';
import { openModel, type DensityModel } from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { artefactNames } from './artefact-names.js';
import { codecsOf } from './families.js';
import { concurrently } from './concurrently.js';
import { readDocument } from './documents.js';
import { kindOf, namesAll, tellingKind, type Family, type Plan, type PlannedTask, type TaskContext } from './family.js';
import { LocalCompute } from './local-compute.js';
import { interrupted } from './pool-thread.js';
import { createRun, requireSameNumerics, type Run } from './run.js';
import { StageMeter } from './stage-meter.js';
import { storedNats } from './stored-nats.js';

export interface LocalRunOptions {
  readonly store: ObjectStore;
  readonly family: Family;
  /** Of data sets that are registered in the store. */
  readonly specification: BaseSpecification;
  readonly choice: Wanted;
  /** @default all cores; never more than there are tasks */
  readonly threads?: number | undefined;
  /** @default 'wasm' */
  readonly kernel?: Kernel['kind'] | undefined;
  /** Aborting stores checkpoints and rejects with `interrupted`, within a fraction of a second. */
  readonly signal?: AbortSignal | undefined;
  /** A few times a second, and at the beginning and end of every stage. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** A checkpoint that could not be stored; the run goes on. */
  readonly onCheckpointFailure?: ((error: unknown) => void) | undefined;
  /** A sentence that the caller should show: fewer threads than asked for. */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /** @default 30 */
  readonly checkpointSeconds?: number | undefined;
}

export interface LocalRun {
  readonly run: Run;
  /** The model file, byte for byte the artefact: {@link artefactNames}. */
  readonly network: Uint8Array;
  /** What it holds. */
  readonly model: DensityModel;
  readonly summary: ModelSummary;
  /** By the wall: in all, and of the stages that this call went through, by kind of task. */
  readonly seconds: { readonly total: number; readonly stages: Readonly<Record<string, number>> };
}

const progressMilliseconds = 200;
/** Between two reports while no task says anything. */
const heartbeatMilliseconds = 500;

/**
 * A whole run on this machine: does what its family says is missing, costliest task first, until nothing is. Killed at
 * any moment and called again it goes on from what is stored, and ends in the same bytes, for any number of threads.
 *
 * @throws PipelineError `interrupted`, or why a task could not be done (the others are stopped, checkpointed)
 */
export async function runLocally(options: LocalRunOptions): Promise<LocalRun> {
  const { store, family, choice, signal } = options;
  const begun = performance.now();
  const run = await createRun(store, options.specification);
  requireSameNumerics(run);
  const stages: Record<string, number> = {};
  // some kinds take turns, and what their tasks have reported is read once
  const meters = new Map<string, StageMeter>();
  let compute: LocalCompute | null = null;
  try {
    for (;;) {
      if (signal?.aborted === true) throw interrupted('a request to stop');
      const stageBegun = performance.now();
      const plan = await family.missing(store, run, [choice], { withReport: false });
      const kind = plan.tasks[0]?.task.kind;
      if (kind === undefined) break;
      compute ??= computeOf(options, plan);
      const meter = meters.get(kind) ?? new StageMeter(family, run, kind);
      meters.set(kind, meter);
      await performStage(options, run, kind, plan, compute, meter);
      stages[kind] = (stages[kind] ?? 0) + seconds(stageBegun);
    }
  } finally {
    await compute?.close();
  }
  const wanted = family.wantedName(choice);
  const network = await store.get(artefactNames.network(run.id, wanted));
  const summary = await readDocument(store, artefactNames.summary(run.id, wanted), modelSummarySchema);
  const model = openModel(network, codecsOf([family]));
  options.onProgress?.(progressOf(run, { stage: 'done', state: 'done' }));
  return { run, network, model, summary, seconds: { total: seconds(begun), stages } };
}

function computeOf({ store, family, threads, kernel = 'wasm', onNotice }: LocalRunOptions, plan: Plan): LocalCompute {
  const most = Object.values(plan.stages).reduce((largest, stage) => Math.max(largest, stage?.total ?? 0), 1);
  const asked = Math.min(threads ?? availableParallelism(), most);
  return new LocalCompute(family.computations, { store, threads: asked, kernel, onNotice });
}

/** All tasks that a plan names. The first that fails stops the others, and its error is the one thrown. */
async function performStage(
  { store, family, signal, onProgress, onCheckpointFailure, checkpointSeconds }: LocalRunOptions,
  run: Run,
  kind: string,
  plan: Plan,
  compute: LocalCompute,
  meter: StageMeter,
): Promise<void> {
  const { state, counted } = kindOf(family, kind);
  const { total, done } = (counted === null ? null : plan.stages[kind]) ?? { total: 0, done: 0 };
  const left = new Set(plan.tasks);
  if ((plan.stages[tellingKind(family, kind).kind]?.done ?? 0) > 0)
    meter.know(await storedNats(store, family, run, kind, new Set(meter.known)));
  meter.begin();
  const report = throttled(() => {
    const { trees } = meter;
    const doneNow = counted === null ? 0 : done + plan.tasks.length - left.size;
    const tasks = { done: doneNow, total, called: counted ?? kind };
    const treesPerSecond = meter.treesPerSecond();
    const timeLeft = namesAll(plan, kind) ? meter.timeLeft(left) : unknownTimeLeft;
    const logLikelihood = meter.logLikelihood(total);
    onProgress?.(progressOf(run, { stage: kind, state, tasks, trees, treesPerSecond, ...timeLeft, logLikelihood }));
  });
  report(true);
  // what computes long without a word, as a task that is being arranged, is not to look like nothing
  const heartbeat = setInterval(report, heartbeatMilliseconds).unref();
  const stop = new AbortController();
  // every task under way listens, which is not a leak however many they are
  setMaxListeners(0, stop.signal);
  const onAbort = (): void => stop.abort();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  const perform = async (planned: PlannedTask): Promise<void> => {
    const { task, detail, isNew } = planned;
    const context: TaskContext = {
      store,
      compute,
      isNew,
      signal: stop.signal,
      onProgress: (progress) => {
        meter.tell(planned, progress);
        report();
      },
      onCheckpointFailure,
      checkpointSeconds,
      withReport: false,
    };
    const { progress } = await family.handlers[task.kind]!(context, run, task, detail);
    if (progress !== undefined) meter.tell(planned, progress);
    meter.finish(planned);
    left.delete(planned);
    report();
  };
  try {
    // twice as many as threads, so that a thread has its next task while the last one's artefact is being stored
    await concurrently(plan.tasks, 2 * compute.threads, async (planned) => {
      try {
        await perform(planned);
      } catch (error) {
        stop.abort();
        throw error;
      }
    });
  } finally {
    clearInterval(heartbeat);
    signal?.removeEventListener('abort', onAbort);
  }
  report(true);
}

function progressOf(
  { id: runId }: Run,
  known: Pick<RunProgress, 'stage' | 'state'> & Partial<RunProgress>,
): RunProgress {
  const tasks = { done: 0, total: 0, called: 'tasks' };
  return { runId, tasks, trees: 0, treesPerSecond: 0, ...unknownTimeLeft, logLikelihood: null, ...known };
}

/** Calls at most a few times a second, except when asked to call now. */
function throttled(call: () => void): (now?: boolean) => void {
  let called = -Infinity;
  return (now = false) => {
    if (!now && performance.now() - called < progressMilliseconds) return;
    called = performance.now();
    call();
  };
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}
