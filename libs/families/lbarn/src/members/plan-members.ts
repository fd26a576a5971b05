import { isInformed, type InformedKind, type MemberNetwork, type NetworkChoice } from '@orchard/contracts';
import { orderingNames, type Plan, type PlannedTask, type PlanOptions } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { choiceName, keyIn, lbarnNames } from '../artefacts/artefacts.js';
import type { LbarnRun } from '../run/lbarn-run.js';
import { allTasks, isModelStored, planNetworks, single, stagesOfNetworks } from '../run/plan.js';
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
  const unassembled = new Map(
    wanted
      .filter(({ of, choice }) => !isStored(of, choice))
      .map((one) => [keyIn({ id: run.id, of: one.of }, choiceName(one.choice)), one]),
  );
  const pending = new Map<string, { readonly of: MemberNetwork; readonly choices: NetworkChoice[] }>();
  for (const { of, choice } of unassembled.values()) {
    const key = keyIn({ id: run.id, of }, '');
    pending.set(key, { of, choices: [...(pending.get(key)?.choices ?? []), choice] });
  }

  const dimensions = run.datasets.train.dimensions;
  const wantedOf = wanted.map(({ of }) => of);
  // a mixture records how its orderings were found, though its networks may be there
  const unordered = informedKinds(run, wantedOf).filter((kind) => !has(orderingNames.of(run.id, kind)));
  let tasks: PlannedTask[] = unordered.map((kind) => single(run, 'order', kind));
  let left = allTasks(pending.size, dimensions);
  if (unordered.length === 0) {
    const networks = Array.from(pending.values(), async ({ of, choices }) => ({
      view: await memberRun(store, run, of),
      choices,
    }));
    ({ tasks, left } = await planNetworks(store, await Promise.all(networks), stored));
    const isAssembled = (choice: NetworkChoice): boolean =>
      networksFor(choice.members).every((of) => isStored(of, ofOne(choice)));
    for (const choice of open.filter(isAssembled)) tasks.push(single(run, 'mix', choiceName(choice)));
  }
  const most = networksFor(choices.reduce((most, { members = 1 }) => Math.max(most, members), 0));
  const ordered = informedKinds(run, most).length;
  const assembled = choices.reduce((sum, { members }) => sum + networksFor(members).length, 0);
  return {
    tasks,
    complete: choices.filter(isComplete).map((choice) => ({ ...choice })),
    stages: {
      order: ordered === 0 ? null : { total: ordered, done: ordered - unordered.length },
      ...stagesOfNetworks(choices, left, { networks: most.length, dimensions }),
      assemble: { total: assembled, done: assembled - unassembled.size },
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
