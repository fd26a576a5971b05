/** What a candidate's place is worth, from its weight. */
export type MeritOf = (weight: number) => number;

/**
 * Keeps exactly `most` of `count` weighted candidates, where there are more, such that every weight stays what it was
 * in expectation: a candidate that is kept with probability q continues with its weight divided by q. Writes `kept`, 1
 * for those that stay, changes their weights, and returns whether anything was given up. `merits` is room for `count`
 * numbers.
 *
 * q = min(1, merit / c), with c such that the q sum to `most`: heavy candidates stay for certain, the light ones by
 * systematic sampling, one uniform number for all, so that of neighbours of a total q of 1 one stays. Were the merit
 * the weight, this would be Fearnhead and Clifford's optimal resampling ("On-line inference for hidden Markov models
 * via particle filters", 2003), which errs least in the weights as they are. But what the known values that follow will
 * say of a candidate is not in its weight yet; the square root keeps more of the light ones for it (decisions/0002 has
 * the measurements, and where less is better). Where one alone may stay, nothing sets its weight right afterwards, and
 * the merit is the weight.
 *
 * O(count) for each of the few passes that find c.
 */
export function thin(
  weights: Float64Array,
  count: number,
  most: number,
  uniform: number,
  kept: Uint8Array,
  merits: Float64Array,
  meritOf: MeritOf = Math.sqrt,
): boolean {
  if (count <= most) {
    kept.fill(1, 0, count);
    return false;
  }
  for (let i = 0; i < count; i++) merits[i] = most === 1 ? weights[i]! : meritOf(weights[i]!);
  const limit = limitOf(merits, count, most);
  let room = most;
  let lastLight = -1;
  for (let i = 0; i < count; i++) {
    if (merits[i]! >= limit) room--;
    else if (merits[i]! > 0) lastLight = i;
  }
  let sum = uniform;
  for (let i = 0; i < count; i++) {
    if (merits[i]! >= limit) {
      kept[i] = 1;
      continue;
    }
    const chance = merits[i]! / limit;
    sum += chance;
    // rounding must neither lose the last one nor let in one too many
    kept[i] = room > 0 && (sum >= 1 || (i === lastLight && room === 1)) ? 1 : 0;
    if (kept[i] === 0) continue;
    sum -= 1;
    room--;
    weights[i]! /= chance;
  }
  return true;
}

/** The c for which min(1, merit / c) sums to `most`: from above, as more and more turn out to be heavy. */
function limitOf(merits: Float64Array, count: number, most: number): number {
  let limit = Infinity;
  let heavy = -1;
  for (;;) {
    let above = 0;
    let light = 0;
    for (let i = 0; i < count; i++) {
      if (merits[i]! >= limit) above++;
      else light += merits[i]!;
    }
    if (above === heavy || above >= most || light === 0) return limit;
    heavy = above;
    limit = light / (most - above);
  }
}
