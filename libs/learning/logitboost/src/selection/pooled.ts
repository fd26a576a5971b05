import { exp, greatestOf, log, sumOf } from '@orchard/numerics';
import { longestRounds } from './common-rounds.js';
import type { DimensionCurves } from './curves.js';

/** Distance of the bumps that the prior is made of, and their width, in logarithms of rounds. */
const STEP = 0.2;
/** Steps of EM: enough to leave what no dimension wants, too few to fit each dimension's noise. */
const STEPS = 30;
/** Added to rounds before their logarithm is taken: none and one are not far apart. */
const OFFSET = 5;
/** A prior's floor: what no dimension wants can still be had by one whose validation rows insist. */
const FLOOR = 1e-300;

/**
 * Each dimension its best, given how many rounds the dimensions like on the whole (empirical Bayes). Validation rows
 * say little of one dimension where they are few, and much of all together: a distribution of the logarithm of rounds,
 * a mixture of bumps, is fitted by EM to the likelihoods of all curves, and each dimension takes the round that is
 * likeliest under both. O(DT) with some thirty operations.
 *
 * @param longest - by dimension, no more rounds than this
 */
export function pooledRounds(curves: readonly DimensionCurves[], longest: Uint32Array): Uint32Array {
  const most = longestRounds(curves);
  const prior = logPrior(curves, most);
  return Uint32Array.from(curves, ({ valid }, dimension) => {
    let best = 0;
    for (let round = 1; round <= longest[dimension]!; round += 1)
      if (valid[round]! + prior[round]! > valid[best]! + prior[best]!) best = round;
    return best;
  });
}

/** The logarithm of the density that all dimensions together give to the logarithm of rounds, by round. */
function logPrior(curves: readonly DimensionCurves[], most: number): Float64Array {
  const bumps = bumpsOf(most);
  const evidence = curves.map((curve) => evidenceOf(curve, bumps, most));
  let shares = new Float64Array(bumps.length).fill(1 / bumps.length);
  for (let step = 0; step < STEPS; step += 1) {
    const next = new Float64Array(bumps.length);
    for (const own of evidence) {
      const sum = own.reduce((total, likelihood, bump) => total + shares[bump]! * likelihood, 0);
      for (const [bump, likelihood] of own.entries()) next[bump]! += (shares[bump]! * likelihood) / sum / curves.length;
    }
    shares = next;
  }
  return Float64Array.from({ length: most + 1 }, (_, round) => {
    const mass = bumps.reduce((sum, bump, at) => sum + shares[at]! * bump[round]!, 0);
    return log(mass * (round + OFFSET) + FLOOR);
  });
}

/** Normal densities of the logarithm of rounds, each of sum 1 over the rounds 0 to `most`. */
function bumpsOf(most: number): Float64Array[] {
  const places = Float64Array.from({ length: most + 1 }, (_, round) => log(round + OFFSET));
  const [first, last] = [places[0]!, places[most]!];
  const count = Math.max(2, Math.ceil((last - first) / STEP) + 1);
  return Array.from({ length: count }, (_, at) => {
    const centre = first + ((last - first) * at) / (count - 1);
    const bump = places.map((place, round) => exp(-((place - centre) ** 2) / (2 * STEP ** 2)) / (round + OFFSET));
    const sum = sumOf(bump);
    return bump.map((mass) => mass / sum);
  });
}

/**
 * How likely the validation rows are under each bump, times a factor that all bumps share. A curve that ends goes on
 * flat.
 */
function evidenceOf({ valid }: DimensionCurves, bumps: readonly Float64Array[], most: number): Float64Array {
  const best = greatestOf(valid);
  const likelihoods = Float64Array.from({ length: most + 1 }, (_, round) =>
    exp(valid[Math.min(round, valid.length - 1)]! - best),
  );
  return Float64Array.from(bumps, (bump) => {
    let sum = FLOOR;
    for (let round = 0; round <= most; round += 1) sum += likelihoods[round]! * bump[round]!;
    return sum;
  });
}
