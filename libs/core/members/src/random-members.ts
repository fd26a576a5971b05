import { Purpose, randomBits } from '@orchard/numerics';

/** A number in [0, 1) that says which member a draw of the row is of: that many into the row's stream. */
export function componentUniform(seed: number, row: number, draw = 0): number {
  return uniformOf(seed, Purpose.component, row, draw);
}

/** The seed that a member draws by, apart from those of the others: a safe integer. */
export function seedOfMember(seed: number, member: number): number {
  return uniformOf(seed, Purpose.member, member) * 2 ** 53;
}

/** The member in whose share of the weights' sum a number in [0, 1) falls. */
export function choose(weights: ArrayLike<number>, uniform: number): number {
  let total = 0;
  for (let m = 0; m < weights.length; m++) total += weights[m]!;
  let rest = uniform * total;
  let chosen = 0;
  while (chosen < weights.length - 1 && rest >= weights[chosen]!) rest -= weights[chosen++]!;
  return chosen;
}

/** Number `number` of a stream, a multiple of 2^-53. */
function uniformOf(seed: number, purpose: number, index: number, number = 0): number {
  const high = randomBits(seed, purpose, index, 2 * number) >>> 5;
  return (high * 2 ** 26 + (randomBits(seed, purpose, index, 2 * number + 1) >>> 6)) * 2 ** -53;
}
