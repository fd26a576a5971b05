import { trainConditional } from '@orchard/logitboost';
import { decisionTreeOf } from '@orchard/dataset';
import { Split, type Kernel, type TrainingData } from '@orchard/kernel';
import { chooseRounds } from './choose-rounds.js';
import { decisionWork, shareOfRounds } from './decision-work.js';
import { Decisions } from './decisions.js';
import { neverSeen } from './never-seen.js';
import { startingFrom, type VariableTask } from './train-variable.js';

/** Half of the quick trials of shoppers and hi ended by then. */
const USUAL_ROUNDS = 30;

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
  const decisions = new Decisions(data, task);
  const isOfToday = task.revision !== undefined;
  const reaching = isOfToday ? decisions.reaching(Split.valid) : null;
  const targets = startingFrom(decisions, task, task.start ?? null);
  let chosen = candidates[0]!;
  let most = -Infinity;
  let trees = 0;
  const works = Array.from({ length: decisions.count }, (_, decision) =>
    decisionWork(decisions.rowsOf(decision), decisions.predictors, task.options.rowsPerTree),
  );
  const ofCandidate = works.reduce((sum, work) => sum + work, 0);
  // trees of few rows have fewer leaves than they may, so time rises less than leaves do
  const dearness = candidates.map((leaves) => Math.log2(leaves));
  const allWork = ofCandidate * dearness.reduce((sum, one) => sum + one, 0);
  let done = 0;
  for (const [candidate, leaves] of candidates.entries()) {
    const curves: Float64Array[] = [];
    for (let decision = 0; decision < decisions.count; decision++) {
      const work = dearness[candidate]! * works[decision]!;
      const never = isOfToday ? neverSeen(data, decisions.predictors, decisions.counts(decision)) : null;
      if (never !== null) {
        curves.push(never.curves.valid!);
        done += work;
        continue;
      }
      const trial = trainConditional(
        kernel,
        data,
        targets(decision),
        { ...task.options, ...quick, leaves },
        {
          cancelled: isCancelled,
          onProgress: (rounds) => {
            const within = shareOfRounds(rounds, quick.rounds, USUAL_ROUNDS);
            onProgress((done + work * within) / allWork, trees + rounds);
          },
        },
      );
      if (!trial.finished) return null;
      trees += trial.ensemble.leafCounts.length;
      curves.push(trial.curves.valid!);
      done += work;
    }
    const rounds = chooseRounds(tree, curves, reaching);
    const nats = curves.reduce((sum, curve, index) => sum + curve[rounds[index]!]!, 0);
    if (nats > most) [chosen, most] = [leaves, nats];
  }
  return chosen;
}
