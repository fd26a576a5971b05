import type { InformedKind, NetworkChoice } from '@orchard/contracts';
import { loadKernel, TrainingData, type TrainingDataHandle } from '@orchard/kernel';
import type { ComputationContext, Computations, Run } from '@orchard/pipeline';
import type { Question } from './tuning/trials.js';
import { runTask, type ConditionalOutcome, type ConditionalTask } from './training/trainer.js';

/**
 * What threads run for networks. Each is given plain data and gives plain data back, so that it can be posted. A thread
 * that trains loads what training takes and no more: the rest is loaded where it is needed.
 */
export const computations = {
  /** Loads the rows of a run and arranges them. @returns the handle that {@link TrainingData.attach} takes */
  arrange: async ({ run, threads }: { run: Run; threads: number }, { store }: ComputationContext) => {
    const { arrangeTrainingData, lbarnRun } = await import('./index.js');
    return (await arrangeTrainingData(store, lbarnRun(run), threads)).handle;
  },

  /** Trains or refits one conditional on data that are shared. */
  conditional: async (task: ConditionalTask, context: ComputationContext): Promise<ConditionalOutcome> => {
    const kernel = await loadKernel(context.kernel);
    const data = context.data((handle, thread) => TrainingData.attach(handle as TrainingDataHandle, thread));
    return runTask(kernel, data, task, {
      isCancelled: context.isCancelled,
      onProgress: context.onProgress,
      checkpoint: context.checkpoint,
    });
  },

  select: async ({ run }: { run: Run }, { store }: ComputationContext): Promise<void> => {
    const { lbarnRun, selectRounds } = await import('./index.js');
    await selectRounds(store, lbarnRun(run));
  },

  assemble: async (
    { run, choice, withReport }: { run: Run; choice: NetworkChoice; withReport: boolean },
    { store }: ComputationContext,
  ): Promise<void> => {
    const { lbarnRun } = await import('./index.js');
    const { assembleWithReport } = await import('./artefacts/assemble-with-report.js');
    await assembleWithReport(store, lbarnRun(run), choice, withReport);
  },

  settle: async ({ run, question }: { run: Run; question: Question }, { store }: ComputationContext): Promise<void> => {
    const { askedRun } = await import('./run/lbarn-run.js');
    const { settle } = await import('./tuning/settle.js');
    await settle(store, askedRun(run), question);
  },

  order: async ({ run, kind }: { run: Run; kind: InformedKind }, { store }: ComputationContext): Promise<void> => {
    const { findOrdering } = await import('./members/find-ordering.js');
    await findOrdering(store, run, kind);
  },

  mix: async (
    { run, choice, withReport }: { run: Run; choice: NetworkChoice; withReport: boolean },
    { store }: ComputationContext,
  ): Promise<void> => {
    const { lbarnRun } = await import('./index.js');
    const { mixWithReport } = await import('./members/mix-with-report.js');
    await mixWithReport(store, lbarnRun(run), choice, withReport);
  },
} satisfies Computations['functions'];
