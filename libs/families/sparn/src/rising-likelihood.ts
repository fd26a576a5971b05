import { greatestOf } from '@orchard/numerics';
import type { Family } from '@orchard/pipeline';
import { bestOfTasks, concurrently, sumOfTasks, type RisingLikelihood, type Run } from '@orchard/pipeline';
import { mixedStepIn, mixtureOptions, readStep, sparnSpecification, type StepDocument } from '@orchard/sparn-mixture';
import type { PathDocument } from './path-document.js';
import { isGrid } from './grid-run.js';
import { readPath } from './stored-paths.js';

const readsAtOnce = 8;

/**
 * The likelihood of a network's columns as they come in; null where mixtures are tried beside it, whose steps say
 * more, and of tables, whose columns have no coin to begin with.
 */
export function risingColumns(run: Run): RisingLikelihood | null {
  if (isGrid(run) || run.datasets.train.table !== undefined) return null;
  // some columns say nothing of whole rows
  if (sparnSpecification(run).choosers !== undefined) return null;
  const { components } = mixtureOptions(run);
  if (components.some((count) => count > 1)) return null;
  const { train, valid } = run.datasets;
  const isChosen = sparnSpecification(run).penalty.length > 1;
  const own = isChosen ? ' Each column counts at its own best penalty, before one is chosen for all;' : ' A column';
  return sumOfTasks({
    called: 'columns',
    of: `Of the ${String(valid.rows)} validation rows.${own}${isChosen ? ' one' : ''} that is missing counts as a fair coin.`,
    before: -Math.LN2 * train.dimensions,
    adds: (_, nats) => nats / valid.rows + Math.LN2,
  });
}

/**
 * The likelihood of the best mixture so far, of all steps of EM for all numbers of components; null of intervals, each
 * of which goes its own way.
 */
export function risingSteps(run: Run): RisingLikelihood | null {
  if (isGrid(run)) return null;
  const { components } = mixtureOptions(run);
  if (components.every((count) => count === 1) || sparnSpecification(run).intervals !== undefined) return null;
  const { rows } = run.datasets.valid;
  const [first] = components;
  return bestOfTasks({
    called: 'steps',
    rows,
    of:
      `Of the ${String(rows)} validation rows, by the step of EM and the penalty that make them likeliest so far: they choose among all of them.` +
      (first === 1 ? ' One network alone is tried too: what it is worth is in the summary.' : ''),
    // what EM begins with are products, no networks
    mayBeChosen: (key) => mixedStepIn(key).step > 0,
  });
}

/** A column's likelihood by the penalty that is best for it. */
export function natsOfPath({ valid }: PathDocument): number {
  return greatestOf(valid);
}

export function natsOfStep({ valid }: StepDocument, run: Run): number {
  return valid * run.datasets.valid.rows;
}

/** Of columns, whose keys are numbers, and of steps. */
export const readNats: NonNullable<Family['readNats']> = async (store, run, keys) => {
  const nats = await concurrently(keys, readsAtOnce, async (key) => {
    const own = /^\d+$/.test(key)
      ? natsOfPath(await readPath(store, run.id, Number(key)))
      : natsOfStep(await readStep(store, run.id, mixedStepIn(key)), run);
    return [key, own] as const;
  });
  return new Map(nats);
};
