import { dimensionOfTask, type NetworkChoice, type Task } from '@orchard/contracts';
import { requireSameNumerics, type TaskContext, type TaskHandler } from '@orchard/pipeline';
import { choiceOf } from './choices.js';
import { lbarnRun, type LbarnRun } from './lbarn-run.js';
import { refitDimension } from './refit-dimension.js';
import { trainDimension, type TrainingPorts } from './train-dimension.js';
import { trainerBy } from './trainer.js';
import { trainingDataOf } from './training-data.js';

/** Does one task of a run: the numbers on threads, what is read and stored here. */
export const handlers = {
  train: async (context, run, task) => {
    const own = lbarnRun(run);
    return onData(context, own, (ports) => trainDimension(ports, own, dimensionOf(task), context));
  },

  refit: async (context, run, task, { plan, rounds }) => {
    const own = lbarnRun(run);
    return onData(context, own, (ports) =>
      refitDimension(ports, own, { id: String(plan) }, dimensionOf(task), Number(rounds), context),
    );
  },

  select: async ({ compute, signal }, run) => {
    requireSameNumerics(run);
    await compute.call('select', { run }, { signal });
    return { stored: 'created' };
  },

  assemble: async ({ compute, signal, withReport }, run, { key }) => {
    const choice: NetworkChoice = choiceOf(key);
    await compute.call('assemble', { run, choice, withReport }, { signal });
    return { stored: 'created' };
  },
} satisfies Record<string, TaskHandler>;

function onData<Result>(
  { store, compute }: TaskContext,
  run: LbarnRun,
  work: (ports: TrainingPorts) => Promise<Result>,
): Promise<Result> {
  requireSameNumerics(run);
  return compute.withData(trainingDataOf(run), (call) => work({ store, trainer: trainerBy(call) }));
}

function dimensionOf(task: Task): number {
  const dimension = dimensionOfTask(task);
  if (dimension === null) throw new Error(`the task ${task.kind} ${task.key} names no dimension`);
  return dimension;
}
