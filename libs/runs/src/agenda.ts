import type { Job, NetworkChoice } from '@orchard/contracts';
import { artefactNames, isAssembled, newestCheckpoints, nextWork, type Run, type RunWork } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { Life } from './life.js';
import { workStages, type RunState, type WorkStage } from './run-status.js';

/** What there is to do for a run, computed from the store alone. */
export interface Agenda {
  /** The first stage in which something is missing. */
  readonly state: Extract<RunState, 'training' | 'selecting' | 'refitting' | 'assembling' | 'done'>;
  /** All that is missing and could be done now, costliest first. */
  readonly jobs: readonly Job[];
  /** Networks that can be fetched. */
  readonly networks: readonly NetworkChoice[];
  /** By stage: pieces of work in all and those that are stored; null where the run has no such stage. */
  readonly stages: Readonly<Record<WorkStage, { readonly total: number; readonly done: number } | null>>;
}

const stateOf = {
  train: 'training',
  select: 'selecting',
  refit: 'refitting',
  assemble: 'assembling',
  done: 'done',
} as const satisfies Record<RunWork['stage'], Agenda['state']>;

/** Lists the run's artefacts: one page of a listing for each thousand dimensions. */
export async function agendaOf(store: ObjectStore, run: Run, { choices }: Life): Promise<Agenda> {
  const found: RunWork[] = [];
  const networks: NetworkChoice[] = [];
  for (const choice of choices) {
    const isStored = await isAssembled(store, run, choice);
    // what is not trained is missing for all choices alike
    const training = found.find(({ stage }) => stage === 'train');
    const work = isStored ? await lastWork(store, run, choice) : (training ?? (await nextWork(store, run, choice)));
    if (isStored) networks.push(choice);
    found.push(work);
  }
  const isTraining = found.some(({ stage }) => stage === 'train');
  const checkpoints = isTraining ? await newestCheckpoints(store, run) : new Map<number, number>();
  const jobs = new Map<string, Job>();
  for (const [index, work] of found.entries()) {
    for (const job of jobsOf(run.id, work, choices[index]!, checkpoints)) jobs.set(JSON.stringify(job), job);
  }
  const reached = found.map(({ stage }) => stage);
  const first = workStages.find((stage) => reached.includes(stage)) ?? 'done';
  const dimensions = run.ordering.length;
  const missing = (stage: 'train' | 'refit'): number | null => {
    const work = found.find((one) => one.stage === stage);
    return work !== undefined && 'dimensions' in work ? work.dimensions.length : null;
  };
  const isBefore = (stage: WorkStage): boolean =>
    first !== 'done' && workStages.indexOf(first) < workStages.indexOf(stage);
  const isRefitted = choices.some(({ refit }) => refit);
  return {
    state: stateOf[first],
    jobs: [...jobs.values()],
    networks,
    stages: {
      train: { total: dimensions, done: dimensions - (missing('train') ?? 0) },
      select: { total: 1, done: first === 'train' || first === 'select' ? 0 : 1 },
      refit: isRefitted
        ? { total: dimensions, done: isBefore('refit') ? 0 : dimensions - (missing('refit') ?? 0) }
        : null,
      assemble: { total: choices.length, done: reached.filter((stage) => stage === 'done').length },
    },
  };
}

/** A report goes with every network; the pipeline alone makes none. */
async function lastWork(store: ObjectStore, run: Run, choice: NetworkChoice): Promise<RunWork> {
  const isReported = (await store.head(artefactNames.report(run.id, choice))) !== null;
  return { stage: isReported ? 'done' : 'assemble' };
}

function jobsOf(runId: string, work: RunWork, choice: NetworkChoice, checkpoints: ReadonlyMap<number, number>): Job[] {
  switch (work.stage) {
    case 'train':
      return work.dimensions.map((dimension) => {
        return { stage: 'train', runId, dimension, checkpoint: checkpoints.get(dimension) ?? 0 };
      });
    case 'select':
      return [{ stage: 'select', runId }];
    case 'refit': {
      const { plan } = work;
      return work.dimensions.map((dimension) => ({
        stage: 'refit',
        runId,
        dimension,
        plan: plan.id,
        rounds: plan.rounds[dimension]!,
      }));
    }
    case 'assemble':
      return [{ stage: 'assemble', runId, ...choice }];
    case 'done':
      return [];
  }
}
