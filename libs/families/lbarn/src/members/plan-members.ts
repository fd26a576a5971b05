import {
  isInformed,
  paperSelections,
  type InformedKind,
  type MemberNetwork,
  type NetworkChoice,
} from '@orchard/contracts';
import { orderingNames, type Plan, type PlannedTask, type PlanOptions } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { choiceName, keyIn, lbarnNames } from '../artefacts/artefacts.js';
import type { LbarnRun } from '../run/lbarn-run.js';
import { refitStages, refittedName, stageOf } from '../training/refit-dimension.js';
import { isModelStored, refitPlanOf, refitTask, single, stagesOnPooledRows, trainTasks } from '../run/plan.js';
import { memberOptions, memberRun, networksOf, orderingKindOf } from './member-run.js';

/**
 * What a run with members is missing for the mixtures that are wanted of it, as {@link planRun} says it of one network.
 * Each kind of task waits for all before it:
 *
 * | kind     | missing while                                                     | done by one task a                       |
 * |----------|-------------------------------------------------------------------|------------------------------------------|
 * | order    | an ordering that looks at rows is not found                       | kind of ordering                         |
 * | train    | a conditional is                                                  | network and dimension, costliest first   |
 * | select   | one of a network's four selections is                             | network                                  |
 * | refit    | mixtures of refitted members are wanted and a dimension lacks it  | network and dimension, costliest first   |
 * | retrain  | the same of members trained again                                 | network and dimension, costliest first   |
 * | assemble | a network or its summary is                                       | network and choice                       |
 * | mix      | a mixture, its summary or its report is                           | choice                                   |
 *
 * A network that is stored stands for all that went into it, and so does a mixture: more members are theirs alone to
 * do.
 */
export async function planMembers(
  store: ObjectStore,
  run: LbarnRun,
  choices: readonly NetworkChoice[],
  { withReport }: PlanOptions,
  stored: ReadonlySet<string>,
): Promise<Plan> {
  const has = (name: string): boolean => stored.has(name);
  const isComplete = (choice: NetworkChoice): boolean => isModelStored(run, choice, has, withReport);
  const open = choices.filter((choice) => !isComplete(choice));
  const networksFor = (members = 1): readonly MemberNetwork[] => networksOf(memberOptions(run), members);
  const wanted = open.flatMap((choice) => networksFor(choice.members).map((of) => ({ of, choice: ofOne(choice) })));
  const isStored = (of: MemberNetwork, choice: NetworkChoice): boolean => {
    const place = { id: run.id, of };
    return has(lbarnNames.network(place, choice)) && has(lbarnNames.summary(place, choice));
  };
  const unassembled = distinct(
    wanted.filter(({ of, choice }) => !isStored(of, choice)),
    ({ of, choice }) => keyIn({ id: run.id, of }, choiceName(choice)),
  );
  const pending = distinct(
    unassembled.map(({ of }) => of),
    (of) => keyIn({ id: run.id, of }, ''),
  );

  const dimensions = run.datasets.train.dimensions;
  const left = { train: 0, select: 0, refit: 0, retrain: 0, assemble: unassembled.length };
  const wantedOf = wanted.map(({ of }) => of);
  // a mixture records how its orderings were found, though its networks may be there
  const unordered = informedKinds(run, wantedOf).filter((kind) => !has(orderingNames.of(run.id, kind)));
  let tasks: PlannedTask[] = unordered.map((kind) => single(run, 'order', kind));
  if (unordered.length > 0) {
    const all = pending.length * dimensions;
    Object.assign(left, { train: all, select: all, refit: all, retrain: all });
  } else {
    const views = await Promise.all(pending.map((of) => memberRun(store, run, of)));
    const untrained = views.map((view) => missingOf(view, (dimension) => has(lbarnNames.conditional(view, dimension))));
    tasks = views.flatMap((view, at) => trainTasks(view, untrained[at]!, stored));
    left.train = tasks.length;
    const unselected = views.filter(
      (view) => !paperSelections.every((method) => has(lbarnNames.selection(view, method))),
    );
    left.select = unselected.length;
    if (tasks.length === 0) tasks = unselected.map((view) => single(view, 'select', 'all'));
    left.refit = left.select * dimensions;
    left.retrain = left.refit;
    if (tasks.length === 0 && left.select === 0) {
      for (const stage of refitStages) {
        const refitted = views.filter((view) =>
          unassembled.some(({ of, choice }) => stageOf(choice) === stage && isSame(of, view.of!)),
        );
        const plans = await Promise.all(refitted.map((view) => refitPlanOf(store, view)));
        const own = refitted.flatMap((view, at) =>
          missingOf(view, (dimension) => has(refittedName(view, stage, plans[at]!, dimension))).map((dimension) =>
            refitTask(view, stage, plans[at]!, dimension),
          ),
        );
        left[stage] = own.length;
        for (const task of own) tasks.push(task);
      }
      // what is wanted otherwise does not wait for what is missing of these
      const ready = unassembled.filter(({ choice }) => {
        const stage = stageOf(choice);
        return stage === null || left[stage] === 0;
      });
      for (const { of, choice } of ready) tasks.push(single({ id: run.id, of }, 'assemble', choiceName(choice)));
    }
    const isAssembled = (choice: NetworkChoice): boolean =>
      networksFor(choice.members).every((of) => isStored(of, ofOne(choice)));
    for (const choice of open.filter(isAssembled)) tasks.push(single(run, 'mix', choiceName(choice)));
  }

  const most = networksFor(choices.reduce((most, { members = 1 }) => Math.max(most, members), 0));
  const ordered = informedKinds(run, most).length;
  const networks = most.length;
  const all = networks * dimensions;
  const assembled = choices.reduce((sum, { members }) => sum + networksFor(members).length, 0);
  return {
    tasks,
    complete: choices.filter(isComplete).map((choice) => ({ ...choice })),
    stages: {
      order: ordered === 0 ? null : { total: ordered, done: ordered - unordered.length },
      train: { total: all, done: all - left.train },
      select: { total: networks, done: networks - Math.min(networks, left.select) },
      ...stagesOnPooledRows(choices, (stage) => ({ total: all, done: Math.max(0, all - left[stage]) })),
      assemble: { total: assembled, done: assembled - left.assemble },
      mix: { total: choices.length, done: choices.length - open.length },
    },
  };
}

/** The orderings of these networks that look at rows. */
function informedKinds(run: LbarnRun, networks: readonly MemberNetwork[]): InformedKind[] {
  const kinds = new Set(networks.map(({ member }) => orderingKindOf(memberOptions(run), member)));
  return [...kinds].filter((kind) => isInformed(kind));
}

/** What a mixture's choice means for one of its networks. */
function ofOne({ selection, refit }: NetworkChoice): NetworkChoice {
  return { selection, refit };
}

/** Stored dimensions without an artefact, the costliest first. */
function missingOf(view: LbarnRun, has: (dimension: number) => boolean): number[] {
  return Array.from(view.ordering)
    .reverse()
    .filter((dimension) => !has(dimension));
}

function isSame(a: MemberNetwork, b: MemberNetwork): boolean {
  return a.member === b.member && a.network === b.network;
}

function distinct<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [nameOf(item), item])).values()];
}
