import { logOdds, rateOf } from './composed.js';
import { climbVotes } from './climb-votes.js';
import { EPSILON, type Experts } from './experts.js';
import { isVoteRule } from './tally.js';

/** Passes over all experts in a step of EM. */
const SWEEPS = 10;

/** Rows that the same experts explain. */
export interface ActiveSet {
  readonly experts: readonly number[];
  rows: number;
  readonly ones: Float64Array;
}

/** Templates that no formula gives: they climb the likelihood of the rows as they are explained. */
export class SetCounts {
  readonly #sets = new Map<string, ActiveSet>();

  /** Counts a row for the set of experts that explain it. */
  add(_: Experts, values: Uint8Array, active: readonly number[], times: number): void {
    const sorted = active.toSorted((a, b) => a - b);
    const key = sorted.join();
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = { experts: sorted, rows: 0, ones: new Float64Array(values.length) };
      this.#sets.set(key, set);
    }
    set.rows += times;
    for (let dim = 0; dim < values.length; dim++) if (values[dim] === 1) set.ones[dim]! += times;
  }

  /** @param experts where the climb begins */
  rates(experts: Experts): Float64Array {
    const sets = [...this.#sets.values()];
    const { composition } = experts;
    return isVoteRule(composition) ? climbVotes(sets, composition, experts) : climbLogOdds(sets, experts);
  }
}

/**
 * Templates whose log-odds are summed, with the same prior as eq. 3.1, a coordinate at a time. A coordinate's step is
 * its slope over the greatest curvature there can be (Böhning 1992), and so never downwards.
 */
function climbLogOdds(sets: readonly ActiveSet[], { count, dimensions, rates }: Experts): Float64Array {
  const setsOf = Array.from({ length: count }, (_, expert) =>
    Array.from(sets.keys()).filter((at) => sets[at]!.experts.includes(expert)),
  );
  const sums = new Float64Array(sets.length);
  const odds = new Float64Array(count);
  const result = new Float64Array(rates.length);
  for (let dim = 0; dim < dimensions; dim++) {
    for (let expert = 0; expert < count; expert++) odds[expert] = logOdds(rates[expert * dimensions + dim]!);
    sets.forEach(({ experts }, at) => {
      sums[at] = experts.reduce((sum, expert) => sum + odds[expert]!, 0);
    });
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      for (let expert = 0; expert < count; expert++) {
        let slope = EPSILON * (1 - 2 * rateOf(odds[expert]!));
        let curvature = EPSILON / 2;
        for (const at of setsOf[expert]!) {
          const { rows, ones } = sets[at]!;
          slope += ones[dim]! - rows * rateOf(sums[at]!);
          curvature += rows / 4;
        }
        const step = slope / curvature;
        odds[expert]! += step;
        for (const at of setsOf[expert]!) sums[at]! += step;
      }
    for (let expert = 0; expert < count; expert++) result[expert * dimensions + dim] = rateOf(odds[expert]!);
  }
  return result;
}
