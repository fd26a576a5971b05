/**
 * How many rounds of each decision of a variable are kept: as many of all, the number that their validation rows together favour
 * (a decision that ended earlier keeps what it has). The handful of validation rows that reaches a late decision would choose
 * by chance.
 *
 * @param curves of each decision, summed validation nats after 0, 1, … rounds
 */
export function chooseRounds(curves: readonly Float64Array[]): Uint32Array {
  const most = curves.reduce((longest, curve) => Math.max(longest, curve.length), 1);
  let bestRounds = 0;
  let best = -Infinity;
  for (let rounds = 0; rounds < most; rounds++) {
    const nats = curves.reduce((sum, curve) => sum + curve[Math.min(rounds, curve.length - 1)]!, 0);
    if (nats > best) {
      best = nats;
      bestRounds = rounds;
    }
  }
  return Uint32Array.from(curves, ({ length }) => Math.min(bestRounds, length - 1));
}
