import {
  defaultChoice,
  type NetworkChoice,
  type RunProgress,
  type RunSpecification,
  type RunStage,
  type Seconds,
  type Summary,
} from '@orchard/contracts';
import type { Kernel } from '@orchard/kernel';
import type { Network } from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { assemble, type Assembled } from './assemble.js';
import { concurrently } from './concurrently.js';
import { PipelineError } from './errors.js';
import { refitDimension } from './refit-dimension.js';
import { RunMeter } from './run-meter.js';
import { nextWork, type RunWork } from './run-work.js';
import { createRun, type Run } from './run.js';
import { readCurves, selectRounds } from './select-rounds.js';
import { ThreadPool } from './thread-pool.js';
import { trainDimension, type DimensionHooks, type DimensionOutcome, type TrainingPorts } from './train-dimension.js';
import { arrangeTrainingData } from './training-data.js';

export interface LocalRunOptions {
  readonly store: ObjectStore;
  /** Of data sets that are registered in the store. */
  readonly specification: RunSpecification;
  /** @default {@link defaultChoice} */
  readonly choice?: NetworkChoice | undefined;
  /** @default all cores; never more than there are dimensions */
  readonly threads?: number | undefined;
  /** @default 'wasm' */
  readonly kernel?: Kernel['kind'] | undefined;
  /** Aborting stores checkpoints and rejects with `interrupted`, within a fraction of a second. */
  readonly signal?: AbortSignal | undefined;
  /** A few times a second, and at the beginning and end of every stage. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** A checkpoint that could not be stored; the run goes on. */
  readonly onCheckpointFailure?: ((error: unknown) => void) | undefined;
  /** @default 30 */
  readonly checkpointSeconds?: number | undefined;
}

export interface LocalRun {
  readonly run: Run;
  /** The artefacts are these, byte for byte: {@link artefactNames}. */
  readonly network: Uint8Array;
  /** What the network file holds. */
  readonly model: Network;
  readonly summary: Summary;
  readonly seconds: Seconds;
}

const progressMilliseconds = 200;

/**
 * A whole run on this machine: trains what is missing, costliest dimension first, on threads that share one copy of the
 * data; selects, refits, assembles. Killed at any moment and called again it goes on from what is stored, and ends in the
 * same bytes, for any number of threads.
 *
 * @throws PipelineError `interrupted`, or why a dimension could not be trained (the others are stopped, checkpointed)
 */
export async function runLocally(options: LocalRunOptions): Promise<LocalRun> {
  const { store, choice = defaultChoice, signal } = options;
  const begun = performance.now();
  const run = await createRun(store, options.specification);
  const spent: Record<RunStage, number> = { train: 0, select: 0, refit: 0, assemble: 0, done: 0 };
  const engine = new Engine(options, run);
  let assembled: Assembled | null = null;
  try {
    for (;;) {
      if (signal?.aborted === true) throw interrupted();
      const stageBegun = performance.now();
      const work = await nextWork(store, run, choice);
      if (work.stage === 'done') break;
      assembled = await perform(work, run, choice, options, engine);
      spent[work.stage] += seconds(stageBegun);
    }
  } finally {
    await engine.close();
  }
  const { network, model, summary } = assembled ?? (await assemble(store, run, choice));
  options.onProgress?.(new RunMeter(run, 'done', [], 0, null).progress());
  return {
    run,
    network,
    model,
    summary,
    seconds: { total: seconds(begun), train: spent.train, refit: choice.refit ? spent.refit : null },
  };
}

/** One stage; the last one's result. */
async function perform(
  work: RunWork,
  run: Run,
  choice: NetworkChoice,
  options: LocalRunOptions,
  engine: Engine,
): Promise<Assembled | null> {
  const { store, onProgress } = options;
  switch (work.stage) {
    case 'train': {
      const bestValid = await bestOfStored(store, run, work.dimensions);
      const meter = new RunMeter(run, 'train', work.dimensions, run.specification.rounds, bestValid);
      await eachDimension(work.dimensions, meter, options, engine, (ports, dimension, hooks) =>
        trainDimension(ports, run, dimension, hooks),
      );
      return null;
    }
    case 'refit': {
      const { plan, dimensions } = work;
      const meter = new RunMeter(run, 'refit', dimensions, plan.rounds, null);
      await eachDimension(dimensions, meter, options, engine, (ports, dimension, hooks) =>
        refitDimension(ports, run, plan, dimension, plan.rounds[dimension]!, hooks),
      );
      return null;
    }
    case 'select':
      onProgress?.(new RunMeter(run, 'select', [], 0, null).progress());
      await selectRounds(store, run);
      return null;
    case 'assemble':
      onProgress?.(new RunMeter(run, 'assemble', [], 0, null).progress());
      return assemble(store, run, choice);
    case 'done':
      return null;
  }
}

/** All dimensions of one stage. The first that fails stops the others, and its error is the one thrown. */
async function eachDimension(
  dimensions: readonly number[],
  meter: RunMeter,
  { signal, onProgress, onCheckpointFailure, checkpointSeconds }: LocalRunOptions,
  engine: Engine,
  work: (ports: TrainingPorts, dimension: number, hooks: DimensionHooks) => Promise<DimensionOutcome>,
): Promise<void> {
  const report = throttled(() => onProgress?.(meter.progress()));
  report(true);
  const ports = await engine.ports();
  const stop = new AbortController();
  // every task under way listens, which is no leak however many they are
  setMaxListeners(0, stop.signal);
  const onAbort = (): void => stop.abort();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  const hooks: DimensionHooks = {
    signal: stop.signal,
    onProgress: (progress) => {
      meter.tell(progress);
      report();
    },
    onCheckpointFailure,
    checkpointSeconds,
  };
  try {
    // twice as many as threads, so that a thread has its next task while the last one's artefact is being stored
    await concurrently(dimensions, 2 * engine.threads, async (dimension) => {
      try {
        const { rounds, newRounds, bestValid } = await work(ports, dimension, hooks);
        if (rounds !== undefined) {
          meter.tell({ dimension, rounds, newRounds: newRounds ?? 0, bestValid: bestValid ?? null });
        }
        meter.finish(dimension);
        report();
      } catch (error) {
        stop.abort();
        throw error;
      }
    });
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  report(true);
}

/** The threads and their data, made when they are first needed: a run that is all there needs neither. */
class Engine {
  readonly threads: number;
  readonly #options: LocalRunOptions;
  readonly #run: Run;
  #pool: ThreadPool | null = null;
  #ports: TrainingPorts | null = null;

  constructor(options: LocalRunOptions, run: Run) {
    this.#options = options;
    this.#run = run;
    this.threads = Math.min(options.threads ?? availableParallelism(), run.ordering.length);
  }

  async ports(): Promise<TrainingPorts> {
    if (this.#ports !== null) return this.#ports;
    const { store, kernel } = this.#options;
    const starting = ThreadPool.start({ threads: this.threads, kernel });
    // the data is arranged while the threads start; whichever fails, the pool is there to be closed
    const [pool, data] = await Promise.allSettled([starting, arrangeTrainingData(store, this.#run, this.threads)]);
    if (pool.status === 'rejected') throw pool.reason;
    this.#pool = pool.value;
    if (data.status === 'rejected') throw data.reason;
    this.#ports = { store, trainer: this.#pool.open(data.value) };
    return this.#ports;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}

/** The best validation likelihoods of the dimensions that are not missing, for the progress of a run that goes on. */
async function bestOfStored(
  store: ObjectStore,
  run: Run,
  missing: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const left = new Set(missing);
  const stored = [...run.ordering].filter((dimension) => !left.has(dimension));
  const curves = await readCurves(store, run, stored);
  return new Map(
    curves.map(({ dimension, valid }) => [dimension, valid!.reduce((best, point) => Math.max(best, point), -Infinity)]),
  );
}

/** Calls at most a few times a second, except when told to call now. */
function throttled(call: () => void): (now?: boolean) => void {
  let called = -Infinity;
  return (now = false) => {
    if (!now && performance.now() - called < progressMilliseconds) return;
    called = performance.now();
    call();
  };
}

function interrupted(): PipelineError {
  const remedy = 'Run again: it goes on from what is stored.';
  return new PipelineError('interrupted', { got: 'a request to stop', expected: 'time to finish', remedy });
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}
