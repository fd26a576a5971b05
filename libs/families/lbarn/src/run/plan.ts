import { paperSelections, type MemberNetwork, type NetworkChoice, type Task } from '@orchard/contracts';
import { numberIn, type Plan, type PlannedTask, type PlanOptions } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { choiceName, keyIn, lbarnNames, refitKey } from '../artefacts/artefacts.js';
import { costOf, type LbarnRun } from './lbarn-run.js';
import {
  planRefit,
  refitStages,
  refittedName,
  stageOf,
  type RefitPlan,
  type RefitStage,
} from '../training/refit-dimension.js';
import { readSelections } from '../selection/select-rounds.js';

/**
 * What a run is missing for the networks that are wanted of it. The first kind of which something is missing is the
 * run's stage, and what comes after it waits:
 *
 * | kind     | missing while                                          | done by one task a           |
 * |----------|--------------------------------------------------------|------------------------------|
 * | train    | a conditional is                                       | dimension, costliest first   |
 * | select   | one of the four selections is                          | run                          |
 * | refit    | a network with refit is wanted and a dimension lacks it | dimension, costliest first  |
 * | retrain  | a network trained again is, and a dimension lacks it    | dimension, costliest first   |
 * | assemble | a network, its summary or its report is                | network                      |
 *
 * A network that is stored with all that goes with it stands for all that went into it: nothing of it is missing any
 * more. One listing of the run's artefacts shows all this; the selections are read once in a run's life, when it
 * refits.
 *
 * @param stored the names of all that the run has stored
 */
export async function planRun(
  store: ObjectStore,
  run: LbarnRun,
  choices: readonly NetworkChoice[],
  { withReport }: PlanOptions,
  stored: ReadonlySet<string>,
): Promise<Plan> {
  const has = (name: string): boolean => stored.has(name);
  const isComplete = (choice: NetworkChoice): boolean => isModelStored(run, choice, has, withReport);
  const complete = choices.filter(isComplete);
  const open = choices.filter((choice) => !isComplete(choice));
  const costliestFirst = Array.from(run.ordering).reverse();
  const dimensions = costliestFirst.length;

  const untrained = costliestFirst.filter((dimension) => !has(lbarnNames.conditional(run, dimension)));
  const isSelected = paperSelections.every((method) => has(lbarnNames.selection(run, method)));
  const tasks: PlannedTask[] = [];
  const left: Record<RefitStage, number[]> = { refit: [], retrain: [] };
  if (open.length > 0) {
    if (untrained.length > 0) {
      for (const task of trainTasks(run, untrained, stored)) tasks.push(task);
    } else if (!isSelected) tasks.push(single(run, 'select', 'all'));
    else {
      for (const stage of refitStages.filter((one) => open.some((choice) => stageOf(choice) === one))) {
        const plan = await refitPlanOf(store, run);
        left[stage] = costliestFirst.filter((dimension) => !has(refittedName(run, stage, plan, dimension)));
        for (const dimension of left[stage]) tasks.push(refitTask(run, stage, plan, dimension));
      }
      for (const choice of open) {
        const stage = stageOf(choice);
        if (stage === null || left[stage].length === 0) tasks.push(single(run, 'assemble', choiceName(choice)));
      }
    }
  }
  const isBeyondSelect = untrained.length === 0 && isSelected;
  const doneOf = (isReached: boolean, missing: number): number =>
    open.length === 0 ? dimensions : isReached ? dimensions - missing : 0;
  return {
    tasks,
    complete: complete.map((choice) => ({ ...choice })),
    stages: {
      train: { total: dimensions, done: doneOf(true, untrained.length) },
      select: { total: 1, done: open.length === 0 || isBeyondSelect ? 1 : 0 },
      ...stagesOnPooledRows(choices, (stage) => ({
        total: dimensions,
        done: doneOf(isBeyondSelect, left[stage].length),
      })),
      assemble: { total: choices.length, done: complete.length },
    },
  };
}

/** The stages of what is wanted; a run that is not to be trained again does not name it. */
export function stagesOnPooledRows(choices: readonly NetworkChoice[], of: (stage: RefitStage) => Stage): Stages {
  const isWanted = (stage: RefitStage): boolean => choices.some((choice) => stageOf(choice) === stage);
  return {
    refit: isWanted('refit') ? of('refit') : null,
    ...(isWanted('retrain') && { retrain: of('retrain') }),
  };
}

export function isModelStored(
  run: LbarnRun,
  choice: NetworkChoice,
  has: (name: string) => boolean,
  withReport: boolean,
): boolean {
  return (
    has(lbarnNames.network(run, choice)) &&
    has(lbarnNames.summary(run, choice)) &&
    (!withReport || has(lbarnNames.report(run, choice)))
  );
}

/** By kind of task, those of all and those that are done. */
export type Stages = Plan['stages'];

type Stage = NonNullable<Stages[string]>;

/** A task for each of these dimensions; what is stored says which have checkpoints. */
export function trainTasks(run: LbarnRun, dimensions: readonly number[], stored: ReadonlySet<string>): PlannedTask[] {
  const begun = new Set<number>();
  const prefix = lbarnNames.checkpoints(run);
  for (const name of stored) {
    const dimension = name.startsWith(prefix) ? numberIn(name.slice(0, name.lastIndexOf('/')), prefix) : null;
    if (dimension !== null) begun.add(dimension);
  }
  return dimensions.map((dimension) => ({
    task: { run: run.id, kind: 'train', key: keyIn(run, String(dimension)) },
    cost: costOf(run, dimension),
    detail: {},
    isNew: !begun.has(dimension),
  }));
}

export function refitTask(run: LbarnRun, stage: RefitStage, plan: RefitPlan, dimension: number): PlannedTask {
  return {
    task: { run: run.id, kind: stage, key: keyIn(run, refitKey(plan.id, dimension)) },
    cost: costOf(run, dimension),
    detail: { plan: plan.id, rounds: plan.rounds[dimension]! },
    isNew: true,
  };
}

/** The only task of its kind. */
export function single(
  place: { readonly id: string; readonly of: MemberNetwork | null },
  kind: Task['kind'],
  key: string,
): PlannedTask {
  return { task: { run: place.id, kind, key: keyIn(place, key) }, cost: 1, detail: {}, isNew: false };
}

/** A run has one plan for all its life: later calls need not read four selections of all dimensions. */
const plans = new WeakMap<LbarnRun, RefitPlan>();

export async function refitPlanOf(store: ObjectStore, run: LbarnRun): Promise<RefitPlan> {
  const known = plans.get(run);
  if (known !== undefined) return known;
  const plan = planRefit(Object.values(await readSelections(store, run)));
  plans.set(run, plan);
  return plan;
}
