import type { Decision, GrownTree, Kernel, TrainingData } from '@orchard/kernel';
import { baseRate } from './start.js';

/**
 * One tree from the base rate of the rows that reach a decision, without any bound but the number of its leaves: what
 * splits the rows best. It has the sums of its leaves, and no round follows it, so that nothing is computed for one.
 *
 * @returns the tree, valid until the kernel's next one on these data
 */
export function growGreedily(
  kernel: Kernel,
  data: TrainingData,
  { predictors, rows, labels }: Decision,
  leaves: number,
): GrownTree {
  const target = { predictors, rows, labels };
  const growth = { leaves, minLeafWeight: 0, l2: 0, startOdds: baseRate(data, target) };
  return kernel.conditional(data, target, growth, true).grow();
}
