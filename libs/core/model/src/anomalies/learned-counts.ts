import type { Variable } from '@orchard/contracts';
import { otherCode, trainingCounts } from '@orchard/dataset';
import { log, sumOf } from '@orchard/numerics';
import type { TabularModel } from '../tables/tabular-model.js';

const countsSaid = new WeakMap<TabularModel, readonly ArrayLike<number>[]>();

/**
 * Says which rows a model has learned from that judges other rows of the same file, so that what it has not learned is
 * known: values of these rows are compared with how common such values are.
 *
 * @param counts of each variable, the rows of each code
 */
export function setLearnedCounts(model: TabularModel, counts: readonly ArrayLike<number>[]): void {
  countsSaid.set(model, counts);
}

/** Of each variable the rows of each code that a model has learned from; undefined where nothing was said of them. */
export function learnedCounts(model: TabularModel): readonly ArrayLike<number>[] | undefined {
  return countsSaid.get(model);
}

/**
 * The most that values surprise by which the model has not learned, nats: by the share of the rows whose value comes
 * once (Good and Turing). In a column of customers many come once, so that another one is nothing special.
 */
export function surpriseOfOne(variable: Variable): number {
  const counts = trainingCounts(variable);
  const once = counts.reduce(
    (sum, count) => sum + (count === 1 ? 1 : 0),
    variable.kind === 'categorical' ? variable.others : 0,
  );
  return log((sumOf(counts) + 1) / (once + 1));
}

/**
 * Whether a code stands for a label that the model has not learned, or for a single number or date between others: of
 * an outermost one it matters how far out it lies.
 */
export function isUnlearned(variable: Variable, counts: ArrayLike<number> | undefined, code: number): boolean {
  if (counts === undefined || (counts[code] ?? 0) > 0) return false;
  if (variable.kind !== 'ordered') return code <= (otherCode(variable) ?? variable.labels.length - 1);
  return variable.measure === 'mass' && code > 0 && code < variable.values.length - 1;
}
