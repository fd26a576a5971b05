import { chooseLeaves, trialOptions, type LeafSearch, type TriedLeaves } from '@orchard/logitboost';
import { decisionTreeOf } from '@orchard/dataset';
import { Split } from '@orchard/kernel';
import { chooseRounds } from './choose-rounds.js';
import { decisionWork, shareOfRounds } from './decision-work.js';
import { decisionsOf } from './decisions.js';
import { neverSeen } from './never-seen.js';
import { startingFrom, type VariableTask } from './train-variable.js';
import type { VariableWork } from './variable-work.js';

/** Half of the quick trials of shoppers and hi ended by then. */
const USUAL_ROUNDS = 30;

/**
 * The leaves of a variable's trees: each candidate trains all its decisions quickly, with as many rounds of each as its
 * validation rows favour. The trees are let go.
 *
 * @param onProgress gets the share of the search that is done
 * @returns null where it was cancelled
 */
export function findLeaves(
  work: VariableWork,
  task: VariableTask,
  search: LeafSearch,
  onProgress: (share: number) => void,
): number | null {
  const { data, trials } = work;
  const tree = decisionTreeOf(task.table.variables[task.ordering[task.position]!]!);
  const decisions = decisionsOf(data, task);
  const isOfToday = task.revision !== undefined;
  const reaching = isOfToday ? decisions.reaching(Split.valid) : null;
  const targets = startingFrom(decisions, task, task.start ?? null);
  const works = Array.from({ length: decisions.count }, (_, decision) =>
    decisionWork(decisions.rowsOf(decision), decisions.predictors, task.options.rowsPerTree),
  );
  const ofCandidate = works.reduce((sum, own) => sum + own, 0);
  // trees of few rows have fewer leaves than they may, so time rises less than leaves do
  const dearness = search.leaves.map((leaves) => Math.log2(leaves));
  const allWork = ofCandidate * dearness.reduce((sum, one) => sum + one, 0);
  const tried: TriedLeaves[] = [];
  // more leaves make the same trees where none had all it might: the curves of such trials, by decision
  const settled: Float64Array[] = [];
  let done = 0;
  for (const [candidate, leaves] of search.leaves.entries()) {
    const first = candidate * decisions.count;
    for (let decision = 0; decision < decisions.count; decision++) {
      const own = dearness[candidate]! * works[decision]!;
      const isTried = trials.length > first + decision;
      const same = settled[decision];
      if (!isTried && same !== undefined) work.addTrial(same);
      else if (!isTried) {
        const never = isOfToday ? neverSeen(data, decisions.predictors, decisions.counts(decision)) : null;
        const trial =
          never ??
          work.train(targets(decision), trialOptions(task.options, search, leaves), (rounds) => {
            onProgress((done + own * shareOfRounds(rounds, search.rounds, USUAL_ROUNDS)) / allWork);
          });
        if (trial === null) return null;
        const curve = trial.curves.valid!;
        work.addTrial(curve);
        if (trial.ensemble.leafCounts.every((count) => count < leaves)) settled[decision] = curve;
      }
      done += own;
    }
    const curves = trials.slice(first, first + decisions.count);
    const rounds = chooseRounds(tree, curves, reaching);
    tried.push({ leaves, nats: curves.reduce((sum, curve, index) => sum + curve[rounds[index]!]!, 0) });
  }
  return chooseLeaves(tried).leaves;
}
