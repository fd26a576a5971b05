import { dimensionOfTask, memberOfTask, type Task } from '@orchard/contracts';
import { requireSameNumerics, type TaskContext, type TaskHandler } from '@orchard/pipeline';
import { choiceOf } from './choices.js';
import { lbarnRun, type LbarnRun } from './lbarn-run.js';
import { runOfTask } from './members/member-run.js';
import { refitDimension } from './refit-dimension.js';
import { trainDimension, type TrainingPorts } from './train-dimension.js';
import { trainerBy } from './trainer.js';
import { trainingDataOf } from './training-data.js';

/** Does one task of a run, or of one network of its members: the numbers on threads, what is read and stored here. */
export const handlers = {
  order: async ({ compute, signal }, run, { key }) => {
    requireSameNumerics(run);
    await compute.call('order', { run, kind: key }, { signal });
    return { stored: 'created' };
  },

  train: async (context, run, task) => {
    const own = await runOfTask(context.store, lbarnRun(run), task);
    // nats of a fold, and of one of many networks, are no share of those of the run
    const { onProgress } = context;
    const hooks: TaskContext =
      own.of === null || onProgress === undefined
        ? context
        : { ...context, onProgress: (progress) => onProgress({ ...progress, nats: null }) };
    return onData(context, own, (ports) => trainDimension(ports, own, dimensionOf(task), hooks));
  },

  refit: async (context, run, task, { plan, rounds }) => {
    const own = await runOfTask(context.store, lbarnRun(run), task);
    return onData(context, own, (ports) =>
      refitDimension(ports, own, { id: String(plan) }, dimensionOf(task), Number(rounds), context),
    );
  },

  select: async ({ store, compute, signal }, run, task) => {
    requireSameNumerics(run);
    await compute.call('select', { run: await runOfTask(store, lbarnRun(run), task) }, { signal });
    return { stored: 'created' };
  },

  assemble: async ({ store, compute, signal, withReport }, run, task) => {
    const own = await runOfTask(store, lbarnRun(run), task);
    const choice = choiceOf(memberOfTask(task)?.rest ?? task.key);
    // pages are about what people fetch: a run's one network, or the mixture of its members
    await compute.call('assemble', { run: own, choice, withReport: withReport && own.of === null }, { signal });
    return { stored: 'created' };
  },

  mix: async ({ compute, signal, withReport }, run, { key }) => {
    requireSameNumerics(run);
    await compute.call('mix', { run, choice: choiceOf(key), withReport }, { signal });
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
