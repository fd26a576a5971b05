import { loadKernel, type TrainingData } from '@orchard/kernel';
import type { ComputationContext, Computations, Run } from '@orchard/pipeline';
import type { TaskProgress } from '@orchard/contracts';
import type { TablesRun } from './tables-run.js';
import { Decisions } from './decisions.js';
import { fitLine, type FittedLine } from './line/fit-line.js';
import { neverSeen } from './never-seen.js';
import { searchQuickly, type Search } from './quick-trials.js';
import { isNever, trainVariable, type VariableTask } from './train-variable.js';
import { attachTable, type SharedTable } from './shared-table.js';
import type { VariableCurves } from './variable-curves.js';
import { decodeDecisions, encodeDecisions, encodeVariable } from './variable-codec.js';

/** A variable's task, as it is posted to a thread, which has the table with the rows. */
export interface PostedVariable extends Omit<VariableTask, 'table' | 'ordering' | 'start'> {
  /** Null where leaves and start are said. */
  readonly search: Search | null;
  readonly checkpoint: Uint8Array | null;
}

/** The artefact, or what there is of it: null where not even one decision was finished. */
export interface VariableOutcome {
  readonly bytes: Uint8Array | null;
  readonly finished: boolean;
  /** Null where it is not finished. */
  readonly curves: VariableCurves | null;
  readonly decisions: number;
  readonly progress: TaskProgress;
}

/** What part of a variable's work its search is, as if each trial and the training took all rounds that they may. */
function shareOfSearch({ leaves, start, rounds: each }: Search, hasLine: boolean, rounds: number): number {
  const trials = (leaves?.length ?? 1) + (start === 'auto' && hasLine ? 1 : 0);
  const searching = trials > 1 ? trials * each : 0;
  return searching / (searching + rounds);
}

/** The line that a variable may start from. */
function lineOf(data: TrainingData, task: VariableTask): FittedLine | null {
  const decisions = new Decisions(data, task);
  const never = Array.from({ length: decisions.count }, (_, decision) =>
    neverSeen(data, decisions.predictors, decisions.counts(decision)),
  );
  return fitLine(data, task, isNever(never), task.options.shrinkage);
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
    const { isCancelled, onProgress, onCheckpoint, checkpointSeconds = 30 } = context;
    const kernel = await loadKernel(context.kernel);
    const { data, table, ordering } = context.data((shared, thread) => attachTable(shared as SharedTable, thread));
    const task = { ...posted, table, ordering };
    const before = task.checkpoint === null ? [] : decodeDecisions(task.checkpoint, 'checkpoint');
    let progress: TaskProgress = { share: 0, trees: 0, nats: null };
    let held = before;
    let kept = performance.now();
    // a checkpoint holds neither the leaves nor the line: they are found anew, and the same
    let searched = 0;
    const line = (task.search?.start ?? null) === null ? null : lineOf(data, task);
    const searchShare = task.search === null ? 0 : shareOfSearch(task.search, line !== null, task.options.rounds);
    const onSearch = (share: number, trees: number): void => {
      searched = trees;
      onProgress({ share: searchShare * share, trees, nats: null });
    };
    const found =
      task.search === null
        ? { leaves: undefined, start: null }
        : searchQuickly(kernel, data, task, task.search, line, isCancelled, onSearch);
    if (found === null) return { bytes: null, finished: false, curves: null, decisions: 0, progress };
    const { leaves, start } = found;
    const settled = { ...task, start, options: { ...task.options, leaves: leaves ?? task.options.leaves } };
    const trained = trainVariable(kernel, data, settled, before, {
      isCancelled,
      onProgress: (done) => {
        progress = done;
        const share = searchShare + (1 - searchShare) * done.share;
        onProgress({ ...done, share, trees: searched + done.trees });
      },
      onDecision: (decisions) => {
        held = [...decisions];
        if (onCheckpoint === null || performance.now() - kept < checkpointSeconds * 1000) return;
        kept = performance.now();
        onCheckpoint(encodeDecisions(held), held.length);
      },
    });
    if (trained === null) {
      const bytes = held.length === 0 ? null : encodeDecisions(held);
      return { bytes, finished: false, curves: null, decisions: held.length, progress };
    }
    const nats = trained.valid;
    return {
      bytes: encodeVariable({ ...trained, leaves }),
      finished: true,
      curves: trained.curves,
      decisions: held.length,
      progress: { ...progress, share: 1, nats },
    };
  },

  assemble: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }: ComputationContext) => {
    const { assembleTable } = await import('./assemble.js');
    const { tablesRun } = await import('./tables-run.js');
    await assembleTable(store, tablesRun(run), withReport);
  },
} satisfies Computations['functions'];
