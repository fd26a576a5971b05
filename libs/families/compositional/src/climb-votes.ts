import { highestIn, log } from '@orchard/numerics';
import { EPSILON, isAsymmetric, MARGIN, type Experts } from './experts.js';
import type { ActiveSet } from './set-counts.js';
import { Tally, type VoteRule } from './tally.js';

/** Passes over all experts in a step of EM, at most: they end where no opinion moves by more than {@link STILL}. */
const SWEEPS = 10;
const STILL = 1e-4;

/**
 * Templates under a rule by which every expert has a say: no formula gives them, so each opinion in turn is the one
 * that makes the rows likeliest as they are explained, with the prior of eq. 3.1. Below and above 1/2 the composed
 * probability, or its odds, are linear in each opinion: an interval has one maximum, which a golden section finds.
 *
 * @param experts where the climb begins
 */
export function climbVotes(sets: readonly ActiveSet[], rule: VoteRule, experts: Experts): Float64Array {
  const { count, dimensions, abstaining, rates } = experts;
  const least = isAsymmetric(rule) ? abstaining : MARGIN;
  const setsOf = Array.from({ length: count }, (_, expert) => sets.filter((set) => set.experts.includes(expert)));
  const tallies = sets.map(() => new Tally(rule, abstaining));
  const result = rates.slice();
  for (let dim = 0; dim < dimensions; dim++) {
    const place = (expert: number): number => expert * dimensions + dim;
    for (let sweep = 0, moved = 1; sweep < SWEEPS && moved > STILL; sweep++) {
      moved = 0;
      for (let expert = 0; expert < count; expert++) {
        const own = setsOf[expert]!;
        own.forEach((set, at) => {
          tallies[at]!.clear();
          for (const other of set.experts) if (other !== expert) tallies[at]!.add(result[place(other)]!);
        });
        const best = highestOf((opinion) => {
          let nats = EPSILON * (log(opinion) + log(1 - opinion));
          own.forEach(({ ones, rows }, at) => {
            const rate = tallies[at]!.with(opinion);
            nats += ones[dim]! * log(rate) + (rows - ones[dim]!) * log(1 - rate);
          });
          return nats;
        }, least);
        moved = Math.max(moved, Math.abs(best - result[place(expert)]!));
        result[place(expert)] = best;
      }
    }
  }
  return result;
}

function highestOf(nats: (opinion: number) => number, least: number): number {
  const below = highestIn(nats, least, 1 / 2);
  const above = highestIn(nats, 1 / 2, 1 - MARGIN);
  return nats(below) > nats(above) ? below : above;
}
