import { dimensionOfTask, memberOfTask, type Task } from '@orchard/contracts';
import { requireSameNumerics, type TaskContext, type TaskHandler } from '@orchard/pipeline';
import { choiceOf } from './run/choices.js';
import { askedRun, type LbarnRun } from './run/lbarn-run.js';
import { runOfTask } from './members/member-run.js';
import { refitDimension, type RefitStage } from './training/refit-dimension.js';
import { trainDimension, type TrainingPorts } from './training/train-dimension.js';
import { trainerBy } from './training/trainer.js';
import { trainingDataOf } from './training/training-data.js';
import { runsOfTrial, screen } from './tuning/screen.js';
import { settledRun } from './tuning/settled-run.js';
import { trialOf } from './tuning/trials.js';

/** Does one task of a run, or of one network of its members: the numbers on threads, what is read and stored here. */
export const handlers = {
  screen: async (context, run, { key }) => {
    const asked = askedRun(run);
    const trial = trialOf(asked, key);
    const { own, data } = await runsOfTrial(context.store, asked, trial);
    return onData(context, data, (ports) => screen(ports, own, trial, context));
  },

  settle: async ({ compute, signal }, run, { key }) => {
    requireSameNumerics(run);
    await compute.call('settle', { run, question: key }, { signal });
    return { stored: 'created' };
  },

  order: async ({ compute, signal }, run, { key }) => {
    requireSameNumerics(run);
    await compute.call('order', { run, kind: key }, { signal });
    return { stored: 'created' };
  },

  train: async (context, run, task) => {
    const own = await runOfTask(context.store, await settledRun(context.store, run), task);
    return onData(context, own, (ports) => trainDimension(ports, own, dimensionOf(task), context));
  },

  refit: onPooledRows('refit'),

  retrain: onPooledRows('retrain'),

  select: async ({ store, compute, signal }, run, task) => {
    requireSameNumerics(run);
    const own = await runOfTask(store, await settledRun(store, run), task);
    await compute.call('select', { run: own }, { signal });
    return { stored: 'created' };
  },

  assemble: async ({ store, compute, signal, withReport }, run, task) => {
    const own = await runOfTask(store, await settledRun(store, run), task);
    const choice = choiceOf(memberOfTask(task)?.rest ?? task.key);
    // pages are about what people fetch: a run's one network, or the mixture of its members
    await compute.call('assemble', { run: own, choice, withReport: withReport && own.of === null }, { signal });
    return { stored: 'created' };
  },

  mix: async ({ store, compute, signal, withReport }, given, { key }) => {
    requireSameNumerics(given);
    const run = await settledRun(store, given);
    await compute.call('mix', { run, choice: choiceOf(key), withReport }, { signal });
    return { stored: 'created' };
  },
} satisfies Record<string, TaskHandler>;

function onPooledRows(stage: RefitStage): TaskHandler {
  return async (context, run, task, { plan, rounds }) => {
    const own = await runOfTask(context.store, await settledRun(context.store, run), task);
    return onData(context, own, (ports) =>
      refitDimension(ports, own, { id: String(plan) }, dimensionOf(task), Number(rounds), context, stage),
    );
  };
}

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
