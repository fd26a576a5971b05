import type { NetworkChoice } from '@orchard/contracts';
import { listAll, type ObjectStore } from '@orchard/storage';
import { artefactNames, numberIn } from './artefact-names.js';
import { planRefit, type RefitPlan } from './refit-dimension.js';
import type { Run } from './run.js';
import { isSelected, readSelections } from './select-rounds.js';

/** What there is to do next for one network of a run. */
export type RunWork =
  | { readonly stage: 'train'; readonly dimensions: readonly number[] }
  | { readonly stage: 'select' }
  | { readonly stage: 'refit'; readonly plan: RefitPlan; readonly dimensions: readonly number[] }
  | { readonly stage: 'assemble' }
  | { readonly stage: 'done' };

/**
 * The states of a run. The store alone says where a run is: a state holds while something of it is missing, and the first
 * that holds is the run's. So nobody has to remember anything, a run that was killed is where its artefacts are, and a run
 * that is done for one network may have work left for another (a refit that was not asked for before).
 *
 * | state    | holds while                                  | leads to                        |
 * |----------|----------------------------------------------|---------------------------------|
 * | done     | (the network and its summary are stored)     |                                 |
 * | train    | a conditional is missing                     | one training per dimension      |
 * | select   | a selection is missing                       | the four selections             |
 * | refit    | one is asked for and some dimension lacks it | one refit per dimension         |
 * | assemble | the network or its summary is missing        | both                            |
 *
 * `done` is looked at first, because its two artefacts stand for all that went into them.
 */
const states: readonly ((store: ObjectStore, run: Run, choice: NetworkChoice) => Promise<RunWork | null>)[] = [
  async (store, run, choice) => ((await isAssembled(store, run, choice)) ? { stage: 'done' } : null),
  async (store, run) => {
    const dimensions = await missingBelow(store, run, artefactNames.conditionals(run.id));
    return dimensions.length > 0 ? { stage: 'train', dimensions } : null;
  },
  async (store, run) => ((await refitPlanOf(store, run)) === null ? { stage: 'select' } : null),
  async (store, run, { refit }) => {
    const plan = refit ? await refitPlanOf(store, run) : null;
    if (plan === null) return null;
    const dimensions = await missingBelow(store, run, artefactNames.refits(run.id, plan.id));
    return dimensions.length > 0 ? { stage: 'refit', plan, dimensions } : null;
  },
  () => Promise.resolve({ stage: 'assemble' }),
];

/** The first state that holds, with what is missing in it; dimensions costliest first. */
export async function nextWork(store: ObjectStore, run: Run, choice: NetworkChoice): Promise<RunWork> {
  for (const state of states) {
    const work = await state(store, run, choice);
    if (work !== null) return work;
  }
  throw new Error('the last state always holds');
}

/** Whether a network and its summary are stored. */
export async function isAssembled(store: ObjectStore, run: Run, choice: NetworkChoice): Promise<boolean> {
  const names = [artefactNames.summary(run.id, choice), artefactNames.network(run.id, choice)];
  const found = await Promise.all(names.map((name) => store.head(name)));
  return !found.includes(null);
}

/** What a dimension costs relative to others: rounds are dearer the more predictors there are to look at. */
export function costOf(run: Run, dimension: number): number {
  return run.positions[dimension]! + 8;
}

/** A run has one plan for all its life: whoever asks again and again need not read four selections of all dimensions. */
const plans = new WeakMap<Run, RefitPlan>();

/** Null where the run is not selected. */
async function refitPlanOf(store: ObjectStore, run: Run): Promise<RefitPlan | null> {
  const known = plans.get(run);
  if (known !== undefined) return (await isSelected(store, run)) ? known : null;
  const selections = await readSelections(store, run);
  if (selections === null) return null;
  const plan = planRefit(Object.values(selections));
  plans.set(run, plan);
  return plan;
}

async function missingBelow(store: ObjectStore, run: Run, prefix: string): Promise<number[]> {
  const stored = new Set<number | null>();
  for await (const { name } of listAll(store, prefix)) stored.add(numberIn(name, prefix));
  return Array.from(run.ordering)
    .reverse()
    .filter((dimension) => !stored.has(dimension));
}
