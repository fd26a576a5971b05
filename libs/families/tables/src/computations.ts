import { loadKernel, type TrainingData } from '@orchard/kernel';
import type { LeafSearch } from '@orchard/logitboost';
import type { ComputationContext, Computations, Run, TrainingOutcome } from '@orchard/pipeline';
import type { PairOrderingKind, TaskProgress } from '@orchard/contracts';
import type { TablesRun } from './tables-run.js';
import { decisionsOf } from './decisions.js';
import { fitLine, type FittedLine } from './line/fit-line.js';
import { neverSeen } from './never-seen.js';
import { findLeaves } from './find-leaves.js';
import { isNever, trainVariable, type VariableTask } from './train-variable.js';
import { attachTable, type SharedTable } from './shared-table.js';
import type { VariableCurves } from './variable-curves.js';
import { decodeDone, encodeDone, encodeVariable } from './variable-codec.js';
import { VariableWork, type WorkHooks } from './variable-work.js';

/** A variable's task, as it is posted to a thread, which has the table with the rows. */
export interface PostedVariable extends Omit<VariableTask, 'table' | 'ordering' | 'start'> {
  /** Null where leaves are said. */
  readonly search: LeafSearch | null;
  /** Whether it starts from a line: where there is one, or where that tells something. */
  readonly lines: 'all' | 'useful' | 'none';
  readonly checkpoint: Uint8Array | null;
}

/** What came of a variable's task. */
export interface VariableOutcome extends TrainingOutcome {
  /** Null where it is not finished. */
  readonly curves: VariableCurves | null;
}

/** What part of a variable's work its search is, as if each trial and the training took all rounds that they may. */
function shareOfSearch({ leaves, rounds: each }: LeafSearch, rounds: number): number {
  const searching = leaves.length * each;
  return searching / (searching + rounds);
}

/** The line that a variable starts from; null where it starts from its rates. */
function startOf(data: TrainingData, task: VariableTask & Pick<PostedVariable, 'lines'>): FittedLine | null {
  if (task.lines === 'none') return null;
  const decisions = decisionsOf(data, task);
  const never = Array.from({ length: decisions.count }, (_, decision) =>
    neverSeen(data, decisions.predictors, decisions.counts(decision)),
  );
  // what an earlier release began goes on as it would there
  const withProducts = task.revision !== undefined && task.revision >= 3;
  const line = fitLine(data, task, isNever(never), task.options.shrinkage, { withProducts });
  return task.lines === 'all' || line?.isUseful === true ? line : null;
}

/** What threads run for tables. */
export const computations = {
  /**
   * Loads the rows of a run, or of a member, and arranges them.
   *
   * @returns the handle that {@link attachTable} takes
   */
  arrange: async (
    { run, threads }: { run: TablesRun; threads: number },
    { store }: ComputationContext,
  ): Promise<SharedTable> => {
    const { arrangeTable } = await import('./training-data.js');
    const { handle } = await arrangeTable(store, run, threads);
    return { rows: handle, table: run.table, ordering: run.ordering };
  },

  /** Trains one variable on data that are shared. */
  variable: async (posted: PostedVariable, context: ComputationContext): Promise<VariableOutcome> => {
    const { isCancelled, onProgress, checkpoint } = context;
    const kernel = await loadKernel(context.kernel);
    const { data, table, ordering } = context.data((shared, thread) => attachTable(shared as SharedTable, thread));
    const { search } = posted;
    const task = { ...posted, table, ordering };
    const before = posted.checkpoint === null ? undefined : decodeDone(posted.checkpoint, 'checkpoint');
    const onDone: WorkHooks['onDone'] = (done, rounds) => {
      checkpoint(() => encodeDone(done()), rounds);
    };
    const work = new VariableWork(kernel, data, { isCancelled, onDone }, before);
    let progress: TaskProgress = { share: 0, trees: 0, nats: null };
    const report = (now: TaskProgress): void => {
      progress = now;
      onProgress(now);
    };
    const stopped = (): VariableOutcome => {
      const bytes = work.rounds === 0 ? null : encodeDone(work.done);
      return { bytes, finished: false, curves: null, rounds: work.rounds, progress };
    };
    // a checkpoint does not hold the line: it is found anew, and the same
    const started = { ...task, start: startOf(data, task) };
    const searchShare = search === null ? 0 : shareOfSearch(search, task.options.rounds);
    const leaves =
      search === null
        ? undefined
        : findLeaves(work, started, search, (share) => {
            report({ share: searchShare * share, trees: work.trees, nats: null });
          });
    if (leaves === null) return stopped();
    const settled = leaves === undefined ? started : { ...started, options: { ...task.options, leaves } };
    const trained = trainVariable(work, settled, (done) => {
      report({ ...done, share: searchShare + (1 - searchShare) * done.share });
    });
    if (trained === null) return stopped();
    const { valid: nats, curves } = trained;
    return {
      bytes: encodeVariable({ ...trained, leaves }),
      finished: true,
      curves,
      rounds: work.rounds,
      progress: { ...progress, share: 1, nats },
    };
  },

  order: async (
    { run, kind }: { run: Run; kind: PairOrderingKind },
    { store, isCancelled }: ComputationContext,
  ): Promise<void> => {
    const { findOrdering } = await import('./members/find-ordering.js');
    const { tablesRun } = await import('./tables-run.js');
    await findOrdering(store, tablesRun(run), kind, isCancelled);
  },

  assemble: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }: ComputationContext) => {
    const { assembleTable } = await import('./assemble.js');
    const { orderedRun } = await import('./members/ordered-run.js');
    await assembleTable(store, await orderedRun(store, run), withReport);
  },
} satisfies Computations['functions'];
