import type { DecisionTree } from '@orchard/dataset';
import { placeOfGreatest } from '@orchard/numerics';
import { sumAt } from './variable-curves.js';

/** Validation rows from which on a decision's own rounds are not chosen by chance. */
export const ROWS_TO_CHOOSE = 200;

/** Of fewer validation rows trees cannot be asked to gain so much (measured.md). */
const ROWS_TO_DOUBT = 20;

/**
 * What trees that go on from a line have to gain, in nats of all validation rows together: 3, by which the rows are 20
 * times as likely as by the line. Of a line that is right, trees gain 3 nats by chance in at most a twentieth of all
 * cases. Large tables have far more to show.
 */
export function leastGainOnLine(validationRows: number): number {
  return validationRows < ROWS_TO_DOUBT ? 0 : 3;
}

/**
 * How many rounds of each decision of a variable are kept. A decision that enough validation rows reach has as many as
 * they favour. The others have as many as all of them favour together that lie equally deep in the tree (one that ended
 * earlier keeps what it has).
 *
 * The handful of validation rows that reaches a late decision would choose by chance; and one number for all would end
 * the first decisions, which all rows reach, where the late ones begin to overfit (README: measured). By depth alone a
 * heavy decision beside many light ones stops with them.
 *
 * @param least nats that rounds have to gain over none, of a decision or of those of a depth together: less is chance
 * @param curves of each decision, summed validation nats after 0, 1, … rounds
 * @param reaching validation rows of each decision; null where all share by depth, as in runs of earlier releases
 */
export function chooseRounds(
  { zero, one }: DecisionTree,
  curves: readonly Float64Array[],
  reaching: ArrayLike<number> | null,
  least = 0,
): Uint32Array {
  const depths = new Uint32Array(curves.length);
  // what leads to a decision stands before it
  curves.forEach((_, decision) => {
    for (const next of [zero[decision]!, one[decision]!]) if (next >= 0) depths[next] = depths[decision]! + 1;
  });
  const isHeavy = curves.map((_, decision) => reaching !== null && reaching[decision]! >= ROWS_TO_CHOOSE);
  const rounds = Uint32Array.from(curves, (curve) => bestRound([curve], least));
  for (const depth of new Set(depths)) {
    const shares = (decision: number): boolean => depths[decision] === depth && !isHeavy[decision];
    const favoured = bestRound(
      curves.filter((_, decision) => shares(decision)),
      least,
    );
    curves.forEach(({ length }, decision) => {
      if (shares(decision)) rounds[decision] = Math.min(favoured, length - 1);
    });
  }
  return rounds;
}

/**
 * The number of rounds at which curves are highest together, the fewest among equals; none where that is not `least`
 * above no rounds.
 */
function bestRound(curves: readonly Float64Array[], least: number): number {
  const most = curves.reduce((longest, curve) => Math.max(longest, curve.length), 1);
  const sums = Float64Array.from({ length: most }, (_, rounds) => sumAt(curves, rounds));
  const best = placeOfGreatest(sums);
  return sums[best]! - sums[0]! < least ? 0 : best;
}
