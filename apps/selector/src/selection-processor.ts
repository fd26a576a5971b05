import type { AssembleJob, SelectJob } from '@orchard/contracts';
import {
  artefactNames,
  assemble,
  judgeRun,
  loadDataset,
  openRun,
  readSelections,
  selectRounds,
  type Run,
} from '@orchard/pipeline';
import { HandBack, type HeldWork, type JobResult } from '@orchard/queue';
import { reportOnRun } from '@orchard/report';
import type { RunLog, WorkLedger } from '@orchard/runs';
import { StorageError, type ObjectStore } from '@orchard/storage';

export interface SelectionPorts {
  readonly store: ObjectStore;
  readonly ledger: WorkLedger;
  readonly log: RunLog;
  readonly observe: (stage: string, outcome: string, seconds: number) => void;
}

const storeWait = 3_000;

/** Takes one job from beginning to end. Every step is create-only, so two selectors at the same job do no harm. */
export class SelectionProcessor {
  readonly #ports: SelectionPorts;

  constructor(ports: SelectionPorts) {
    this.#ports = ports;
  }

  process = async (work: HeldWork): Promise<JobResult> => {
    const { store, ledger, log, observe } = this.#ports;
    const job = work.job as SelectJob | AssembleJob;
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / 1_000;
    const nothing = { rounds: 0, newRounds: 0, bestValid: null };
    try {
      if (work.loss !== null) await ledger.recordLoss(job, work.loss);
      if (!(await ledger.isWanted(job.runId))) return { stored: false, ...nothing, seconds: 0 };
      const run = await openRun(store, job.runId);
      if (job.stage === 'select') await selectRounds(store, run);
      else await makeNetwork(store, run, job);
      observe(job.stage, 'stored', seconds());
      return { stored: true, ...nothing, seconds: seconds() };
    } catch (error) {
      if (error instanceof StorageError && error.retryable) {
        log.warn({ job: work.id, err: error }, 'the store is away; the job is handed back');
        throw new HandBack(storeWait);
      }
      if (!(await ledger.isWanted(job.runId, { now: true }).catch(() => true))) {
        return { stored: false, ...nothing, seconds: 0 };
      }
      log.error({ job: work.id, err: error }, 'an attempt failed');
      observe(job.stage, 'failed', seconds());
      await ledger.recordFailure(job, error).catch((cause: unknown) => {
        log.error({ job: work.id, err: cause }, 'an attempt could not be counted');
      });
      throw error;
    }
  };
}

/** The network, its summary, and last the report, with which a network is complete. */
async function makeNetwork(store: ObjectStore, run: Run, { selection, refit }: AssembleJob): Promise<void> {
  const choice = { selection, refit };
  const { model, summary } = await assemble(store, run, choice);
  const name = artefactNames.report(run.id, choice);
  if ((await store.head(name)) !== null) return;
  const { train, valid, test } = run.specification;
  const selections = (await readSelections(store, run))!;
  const splits = {
    train: await loadDataset(store, train),
    valid: await loadDataset(store, valid),
    test: test === null ? null : await loadDataset(store, test),
  };
  const judged = await judgeRun(store, run, choice, selections[selection].rounds, splits, model);
  const report = reportOnRun({
    runId: run.id,
    specification: run.specification,
    choice,
    summary,
    selections,
    splits,
    network: model,
    judged,
  });
  await store.put(name, Buffer.from(report, 'utf8'));
}
