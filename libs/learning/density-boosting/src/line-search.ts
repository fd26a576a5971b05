/** Halvings of an interval of length 1, down to the last bits of a double. */
const HALVINGS = 52;
/** The model so far keeps this share of a step at least, so that its weights stay above 0. */
const MOST = 1 - 2 ** -20;

/**
 * The step ε by which (1 − ε) f + ε h makes the rows likeliest. Their likelihood is concave in ε, so its slope Σ c (r −
 * 1) / (1 + ε (r − 1)), r = h / f, has one root; what is given is not beyond it, so that the step never makes the rows
 * less likely.
 *
 * @param ratios r of each row, finite
 * @param counts c, how often each row is there
 * @returns 0 where no step makes them likelier
 */
export function lineSearch(ratios: Float64Array, counts: Float64Array): number {
  if (!(slopeAt(0, ratios, counts) > 0)) return 0;
  if (slopeAt(MOST, ratios, counts) >= 0) return MOST;
  let low = 0;
  let high = MOST;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (slopeAt(middle, ratios, counts) > 0) low = middle;
    else high = middle;
  }
  return low;
}

function slopeAt(step: number, ratios: Float64Array, counts: Float64Array): number {
  let slope = 0;
  for (let row = 0; row < ratios.length; row++) {
    const gain = ratios[row]! - 1;
    slope += (counts[row]! * gain) / (1 + step * gain);
  }
  return slope;
}
