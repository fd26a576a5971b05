import { loadKernel, type TrainingData } from '@orchard/kernel';
import type { ComputationContext, Computations, Run } from '@orchard/pipeline';
import type { TaskProgress } from '@orchard/contracts';
import type { TablesRun } from './tables-run.js';
import { Decisions } from './decisions.js';
import { fitLine, type FittedLine } from './line/fit-line.js';
import { neverSeen } from './never-seen.js';
import { findLeaves, type LeafSearch } from './find-leaves.js';
import { isNever, trainVariable, type VariableTask } from './train-variable.js';
import { attachTable, type SharedTable } from './shared-table.js';
import type { VariableCurves } from './variable-curves.js';
import { decodeDecisions, encodeDecisions, encodeVariable } from './variable-codec.js';

/** A variable's task, as it is posted to a thread, which has the table with the rows. */
export interface PostedVariable extends Omit<VariableTask, 'table' | 'ordering' | 'start'> {
  /** Null where leaves are said. */
  readonly search: LeafSearch | null;
  /** Whether it starts from a line: where there is one, or where that tells something. */
  readonly lines: 'all' | 'useful' | 'none';
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
function shareOfSearch({ leaves, rounds: each }: LeafSearch, rounds: number): number {
  const searching = leaves.length * each;
  return searching / (searching + rounds);
}

/** The line that a variable starts from; null where it starts from its rates. */
function startOf(data: TrainingData, task: VariableTask & Pick<PostedVariable, 'lines'>): FittedLine | null {
  if (task.lines === 'none') return null;
  const decisions = new Decisions(data, task);
  const never = Array.from({ length: decisions.count }, (_, decision) =>
    neverSeen(data, decisions.predictors, decisions.counts(decision)),
  );
  const line = fitLine(data, task, isNever(never), task.options.shrinkage);
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
    const started = { ...task, start: startOf(data, task) };
    const searchShare = task.search === null ? 0 : shareOfSearch(task.search, task.options.rounds);
    const onSearch = (share: number, trees: number): void => {
      searched = trees;
      onProgress({ share: searchShare * share, trees, nats: null });
    };
    const leaves =
      task.search === null ? undefined : findLeaves(kernel, data, started, task.search, isCancelled, onSearch);
    if (leaves === null) return { bytes: null, finished: false, curves: null, decisions: 0, progress };
    const settled = leaves === undefined ? started : { ...started, options: { ...task.options, leaves } };
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
