import { highestIn, log } from '@orchard/numerics';
import { EPSILON, isAsymmetric, MARGIN, type Experts } from './experts.js';
import type { ActiveSet } from './set-counts.js';
import { Tally, type VoteRule } from './tally.js';
import { TriedOpinions } from './tried-opinions.js';

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
  const tally = new Tally(rule, abstaining);
  const own = Array.from({ length: count }, (_, expert) => {
    const having = sets.filter((set) => set.experts.includes(expert));
    return { having, tried: new TriedOpinions(rule, abstaining, having.length) };
  });
  const result = rates.slice();
  for (let dim = 0; dim < dimensions; dim++) {
    for (let sweep = 0, moved = 1; sweep < SWEEPS && moved > STILL; sweep++) {
      moved = 0;
      for (let expert = 0; expert < count; expert++) {
        const { having, tried } = own[expert]!;
        having.forEach((set, at) => {
          tally.clear();
          for (const other of set.experts) if (other !== expert) tally.add(result[other * dimensions + dim]!);
          tried.take(at, tally);
        });
        const ones = Float64Array.from(having, (set) => set.ones[dim]!);
        const zeros = Float64Array.from(having, (set) => set.rows - set.ones[dim]!);
        const best = highestOf((opinion) => natsOf(opinion, tried.with(opinion), ones, zeros), least);
        const place = expert * dimensions + dim;
        moved = Math.max(moved, Math.abs(best - result[place]!));
        result[place] = best;
      }
    }
  }
  return result;
}

/** Nats of an opinion: those of its prior, and of a column of the rows by the rate of each set. */
function natsOf(opinion: number, rates: Float64Array, ones: Float64Array, zeros: Float64Array): number {
  let nats = EPSILON * (log(opinion) + log(1 - opinion));
  for (let at = 0; at < rates.length; at++) {
    // where there are none a logarithm is spared
    const ofOnes = ones[at]! > 0 ? ones[at]! * log(rates[at]!) : 0;
    const ofZeros = zeros[at]! > 0 ? zeros[at]! * log(1 - rates[at]!) : 0;
    nats += ofOnes + ofZeros;
  }
  return nats;
}

function highestOf(nats: (opinion: number) => number, least: number): number {
  const below = highestIn(nats, least, 1 / 2);
  const above = highestIn(nats, 1 / 2, 1 - MARGIN);
  return nats(below) > nats(above) ? below : above;
}
