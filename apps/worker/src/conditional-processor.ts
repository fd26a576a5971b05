import type { RefitJob, TrainJob } from '@orchard/contracts';
import { openRun, refitDimension, trainDimension, type DimensionHooks, type Run } from '@orchard/pipeline';
import { HandBack, type HeldWork, type JobResult } from '@orchard/queue';
import type { RunLog, WorkLedger } from '@orchard/runs';
import { StorageError, type ObjectStore } from '@orchard/storage';
import { setTimeout as sleep } from 'node:timers/promises';
import { NoRoom, type ResidentData } from './resident-data.js';

export interface ConditionalPorts {
  readonly store: ObjectStore;
  readonly ledger: WorkLedger;
  readonly resident: ResidentData;
  readonly log: RunLog;
  readonly checkpointSeconds: number;
  readonly observe: (stage: string, outcome: string, seconds: number, trees: number) => void;
}

/** Waits before a job is tried again, by others or here. */
const wait = { store: 3_000, busy: 2_000, memory: 3_000 } as const;
/** A refused job is kept for a moment: else this worker would take every job from the queue before others get one. */
const refusalMilliseconds = 2_000;
/** Runs whose description is kept: it never changes while the run lives. */
const runsKept = 32;

/**
 * Takes one job from beginning to end. What is nobody's fault (the store away, no memory, the end of this process) hands
 * the job back; what the run no longer wants is dropped; everything else counts as an attempt.
 */
export class ConditionalProcessor {
  /** Runs whose data never fit here, and the bytes that they need. */
  readonly refused = new Map<string, number>();
  readonly #ports: ConditionalPorts;
  readonly #runs = new Map<string, Run>();

  constructor(ports: ConditionalPorts) {
    this.#ports = ports;
  }

  process = async (work: HeldWork): Promise<JobResult> => {
    const { ledger, observe, log } = this.#ports;
    const job = work.job as TrainJob | RefitJob;
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / 1_000;
    const dropped: JobResult = { stored: false, rounds: 0, newRounds: 0, bestValid: null, seconds: 0 };
    try {
      if (work.loss !== null) await ledger.recordLoss(job, work.loss);
      if (!(await ledger.isWanted(job.runId))) return dropped;
      const result = await this.#compute(work, job);
      observe(job.stage, 'stored', seconds(), result.newRounds);
      return { ...result, seconds: seconds() };
    } catch (error) {
      if (work.signal.aborted) {
        observe(job.stage, String(work.signal.reason), seconds(), 0);
        if (work.signal.reason === 'run-stopped' && !(await this.#isStillWanted(job.runId))) return dropped;
        throw new HandBack();
      }
      if (error instanceof NoRoom) throw await this.#noRoom(work, error);
      if (error instanceof StorageError && error.retryable) {
        log.warn({ job: work.id, err: error }, 'the store is away; the job is handed back');
        throw new HandBack(wait.store);
      }
      // its artefacts may have been deleted under its hands
      if (!(await this.#isStillWanted(job.runId))) return dropped;
      log.error({ job: work.id, err: error }, 'an attempt failed');
      observe(job.stage, 'failed', seconds(), 0);
      await ledger.recordFailure(job, error).catch((cause: unknown) => {
        log.error({ job: work.id, err: cause }, 'an attempt could not be counted');
      });
      this.#runs.delete(job.runId);
      throw error;
    }
  };

  async #compute(work: HeldWork, job: TrainJob | RefitJob): Promise<Omit<JobResult, 'seconds'>> {
    const { store, resident, log, checkpointSeconds } = this.#ports;
    const run = await this.#run(job.runId);
    const needs = this.refused.get(job.runId);
    if (needs !== undefined) throw new NoRoom(needs, false);
    const hooks: DimensionHooks = {
      signal: work.signal,
      isNew: work.isFirst && (job.stage === 'refit' || job.checkpoint === 0),
      checkpointSeconds,
      onProgress: ({ rounds, newRounds, bestValid }) => {
        work.report({ rounds, newRounds, bestValid });
      },
      onCheckpointFailure: (error) => {
        log.warn({ job: work.id, err: error }, 'a checkpoint could not be stored; training goes on without it');
      },
    };
    const {
      rounds = 0,
      newRounds = 0,
      bestValid = null,
    } = await resident.with(run, (trainer) =>
      job.stage === 'train'
        ? trainDimension({ store, trainer }, run, job.dimension, hooks)
        : refitDimension({ store, trainer }, run, { id: job.plan }, job.dimension, job.rounds, hooks),
    );
    return { stored: true, rounds, newRounds, bestValid };
  }

  async #run(id: string): Promise<Run> {
    const known = this.#runs.get(id);
    if (known !== undefined) return known;
    const run = await openRun(this.#ports.store, id);
    if (this.#runs.size >= runsKept) this.#runs.delete(this.#runs.keys().next().value!);
    this.#runs.set(id, run);
    return run;
  }

  async #noRoom({ job: { runId: run }, signal }: HeldWork, error: NoRoom): Promise<HandBack> {
    if (error.isPassing) return new HandBack(wait.busy);
    if (!this.refused.has(run)) {
      this.#ports.log.warn(
        { run, needs: error.needs },
        'the run needs more memory than this worker has; left to others',
      );
    }
    this.refused.set(run, error.needs);
    await sleep(refusalMilliseconds, undefined, { signal }).catch(() => undefined);
    return new HandBack(signal.aborted ? 0 : wait.memory);
  }

  /** Where the store cannot say, it is: the job will come again. */
  #isStillWanted(run: string): Promise<boolean> {
    return this.#ports.ledger.isWanted(run, { now: true }).catch(() => true);
  }
}
