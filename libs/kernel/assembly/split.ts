import { L2, MIN_LEAF_WEIGHT, State } from './state';

/** Gains up to this share of the node's own objective are the rounding of the divisions. */
const ROUNDING: f64 = 9.094947017729282e-13; // 2^-40

/** The result of `findSplit`: no predictor where none gains. */
export let bestGain: f64 = 0.0;
export let bestPredictor: i32 = -1;

/** `S^2 / (W + l2)`, 0 where there is no weight. */
export function objective(residual: f64, weight: f64, l2: f64): f64 {
  return weight > 0.0 ? (residual * residual) / (weight + l2) : 0.0;
}

/**
 * The split of largest gain `S0^2/W0 + S1^2/W1 - S^2/W` (paper eq. 3) of a node with sums (S, W), two predictors at a time;
 * among equal gains the earliest predictor. With `parent` given, `histogram` is the sibling's and is taken from the
 * parent's, which becomes this node's own (exact, by the grid).
 */
@inline
function scan(state: State, histogram: usize, subtract: usize, residual: f64, weight: f64, taken: bool): void {
  const l2 = load<f64>(state.numbers, L2);
  const least = load<f64>(state.numbers, MIN_LEAF_WEIGHT);
  const own = objective(residual, weight, l2);
  const zero = f64x2.splat(0.0);
  const residuals = f64x2.splat(residual);
  const weights = f64x2.splat(weight);
  const penalty = f64x2.splat(l2);
  const leastWeight = f64x2.splat(least);
  const owns = f64x2.splat(own);
  let best = f64x2.splat(own * ROUNDING);
  let bestAt = i64x2.splat(-1);
  let at = i64x2.splat(0);
  at = i64x2.replace_lane(at, 1, 1);
  const two = i64x2.splat(2);
  let allowed = state.allowed;
  for (const end = histogram + state.histogramStride; histogram < end; histogram += 32) {
    let first = v128.load(histogram);
    let second = v128.load(histogram, 16);
    if (taken) {
      first = f64x2.sub(first, v128.load(subtract));
      second = f64x2.sub(second, v128.load(subtract, 16));
      v128.store(histogram, first);
      v128.store(histogram, second, 16);
      subtract += 32;
    }
    const s1 = v128.shuffle<f64>(first, second, 0, 2);
    const w1 = v128.shuffle<f64>(first, second, 1, 3);
    const s0 = f64x2.sub(residuals, s1);
    const w0 = f64x2.sub(weights, w1);
    const gain = f64x2.sub(
      f64x2.add(
        f64x2.div(f64x2.mul(s0, s0), f64x2.add(w0, penalty)),
        f64x2.div(f64x2.mul(s1, s1), f64x2.add(w1, penalty)),
      ),
      owns,
    );
    const lighter = f64x2.min(w0, w1);
    let better = v128.and(f64x2.gt(gain, best), v128.load(allowed));
    better = v128.and(better, v128.and(f64x2.gt(lighter, zero), f64x2.ge(lighter, leastWeight)));
    best = v128.bitselect(gain, best, better);
    bestAt = v128.bitselect(at, bestAt, better);
    at = i64x2.add(at, two);
    allowed += 16;
  }
  const gain0 = f64x2.extract_lane(best, 0);
  const gain1 = f64x2.extract_lane(best, 1);
  const at0 = <i32>i64x2.extract_lane(bestAt, 0);
  const at1 = <i32>i64x2.extract_lane(bestAt, 1);
  const useFirst = at1 < 0 || (at0 >= 0 && (gain0 > gain1 || (gain0 == gain1 && at0 < at1)));
  bestGain = useFirst ? gain0 : gain1;
  bestPredictor = useFirst ? at0 : at1;
}

export function findSplit(state: State, histogram: usize, residual: f64, weight: f64): void {
  scan(state, histogram, 0, residual, weight, false);
}

/** Subtracts the sibling's histogram from the parent's in place, and finds the split of what remains. */
export function findSplitOfRest(state: State, histogram: usize, sibling: usize, residual: f64, weight: f64): void {
  scan(state, histogram, sibling, residual, weight, true);
}
