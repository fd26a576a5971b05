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
  const isComplete = (choice: NetworkChoice): boolean =>
    isModelStored(run, choice, (name) => stored.has(name), withReport);
  const complete = choices.filter(isComplete);
  const open = choices.filter((choice) => !isComplete(choice));
  const { tasks, left } = await planNetworks(store, open.length === 0 ? [] : [{ view: run, choices: open }], stored);
  const dimensions = run.ordering.length;
  return {
    tasks,
    complete: complete.map((choice) => ({ ...choice })),
    stages: {
      ...stagesOfNetworks(choices, left, { networks: 1, dimensions }),
      assemble: { total: choices.length, done: complete.length },
    },
  };
}

/** A network, and in which ways its trees are to be chosen. */
interface WantedNetwork {
  readonly view: LbarnRun;
  readonly choices: readonly NetworkChoice[];
}

/** Tasks that are not done, by kind. */
type LeftOfNetworks = Record<'train' | 'select' | RefitStage, number>;

/** Those of so many networks of which nothing is done. */
export function allTasks(networks: number, dimensions: number): LeftOfNetworks {
  const total = networks * dimensions;
  return { train: total, select: networks, refit: total, retrain: total };
}

/** What these networks are missing before they are assembled, each kind of task after those before it. */
export async function planNetworks(
  store: ObjectStore,
  wanted: readonly WantedNetwork[],
  stored: ReadonlySet<string>,
): Promise<{ readonly tasks: PlannedTask[]; readonly left: LeftOfNetworks }> {
  const has = (name: string): boolean => stored.has(name);
  const untrained = wanted.map(({ view }) =>
    missingOf(view, (dimension) => has(lbarnNames.conditional(view, dimension))),
  );
  const training = wanted.flatMap(({ view }, at) => trainTasks(view, untrained[at]!, stored));
  const isSelected = (view: LbarnRun): boolean =>
    paperSelections.every((method) => has(lbarnNames.selection(view, method)));
  const unready = wanted.filter(({ view }, at) => untrained[at]!.length > 0 || !isSelected(view));
  const left = { ...allTasks(unready.length, wanted[0]?.view.ordering.length ?? 0), train: training.length };
  if (training.length > 0) return { tasks: training, left };
  if (unready.length > 0) return { tasks: unready.map(({ view }) => single(view, 'select', 'all')), left };

  const tasks: PlannedTask[] = [];
  for (const stage of refitStages) {
    for (const { view, choices } of wanted) {
      if (!choices.some((choice) => stageOf(choice) === stage)) continue;
      const plan = await refitPlanOf(store, view);
      const missing = missingOf(view, (dimension) => has(refittedName(view, stage, plan, dimension)));
      for (const dimension of missing) tasks.push(refitTask(view, stage, plan, dimension));
      left[stage] += missing.length;
    }
  }
  // what is wanted otherwise does not wait for what is missing of these
  for (const { view, choices } of wanted)
    for (const choice of choices) {
      const stage = stageOf(choice);
      if (stage === null || left[stage] === 0) tasks.push(single(view, 'assemble', choiceName(choice)));
    }
  return { tasks, left };
}

/** Stored dimensions without an artefact, the costliest first. */
function missingOf(view: LbarnRun, has: (dimension: number) => boolean): number[] {
  return Array.from(view.ordering)
    .reverse()
    .filter((dimension) => !has(dimension));
}

/** The stages of what is wanted; a run that is not to be trained again does not name it. */
export function stagesOfNetworks(
  choices: readonly NetworkChoice[],
  left: LeftOfNetworks,
  { networks, dimensions }: { readonly networks: number; readonly dimensions: number },
): Stages {
  const total = networks * dimensions;
  const isWanted = (stage: RefitStage): boolean => choices.some((choice) => stageOf(choice) === stage);
  const of = (stage: RefitStage): Stage => ({ total, done: Math.max(0, total - left[stage]) });
  return {
    train: { total, done: total - left.train },
    select: { total: networks, done: Math.max(0, networks - left.select) },
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
function trainTasks(run: LbarnRun, dimensions: readonly number[], stored: ReadonlySet<string>): PlannedTask[] {
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

function refitTask(run: LbarnRun, stage: RefitStage, plan: RefitPlan, dimension: number): PlannedTask {
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

async function refitPlanOf(store: ObjectStore, run: LbarnRun): Promise<RefitPlan> {
  const known = plans.get(run);
  if (known !== undefined) return known;
  const plan = planRefit(Object.values(await readSelections(store, run)));
  plans.set(run, plan);
  return plan;
}
