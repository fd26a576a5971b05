import { trainConditional } from '@orchard/logitboost';
import { decisionTreeOf } from '@orchard/dataset';
import type { Kernel, TrainingData } from '@orchard/kernel';
import { chooseRounds } from './choose-rounds.js';
import { neverSeen } from './never-seen.js';
import { decisionsOf, validRowsOf, type VariableTask } from './train-variable.js';

/** How a variable finds the leaves of its trees: candidates, and the quicker settings that they are tried with. */
export interface LeafSearch {
  readonly leaves: readonly number[];
  readonly rounds: number;
  readonly shrinkage: number;
  readonly patience: number;
}

/**
 * The leaves by which a variable's validation rows are likeliest, of equal ones the fewest: each candidate trains all
 * its decisions quickly, with as many rounds of each as these rows favour. The trees are let go.
 *
 * @param onProgress gets the share of the search that is done, and its trees so far
 * @returns null where it was cancelled
 */
export function findLeaves(
  kernel: Kernel,
  data: TrainingData,
  task: VariableTask,
  { leaves: candidates, ...quick }: LeafSearch,
  isCancelled: () => boolean,
  onProgress: (share: number, trees: number) => void,
): number | null {
  const tree = decisionTreeOf(task.table.variables[task.ordering[task.position]!]!);
  const targets = decisionsOf(data, task);
  const reaching = task.revision === undefined ? null : validRowsOf(data, targets);
  let chosen = candidates[0]!;
  let most = -Infinity;
  let trees = 0;
  const trials = candidates.length * targets.length;
  for (const [candidate, leaves] of candidates.entries()) {
    const curves: Float64Array[] = [];
    for (const target of targets) {
      const never = task.revision === undefined ? null : neverSeen(data, target);
      if (never !== null) {
        curves.push(never.curves.valid!);
        continue;
      }
      const trial = trainConditional(
        kernel,
        data,
        target,
        { ...task.options, ...quick, leaves },
        {
          cancelled: isCancelled,
          onProgress: (rounds) => {
            const done = candidate * targets.length + curves.length + rounds / quick.rounds;
            onProgress(done / trials, trees + rounds);
          },
        },
      );
      if (!trial.finished) return null;
      trees += trial.ensemble.leafCounts.length;
      curves.push(trial.curves.valid!);
    }
    const rounds = chooseRounds(tree, curves, reaching);
    const nats = curves.reduce((sum, curve, decision) => sum + curve[rounds[decision]!]!, 0);
    if (nats > most) [chosen, most] = [leaves, nats];
  }
  return chosen;
}
