import { L2, MIN_LEAF_WEIGHT, State } from './state';

/** Gains up to this share of the node's own objective are the rounding of the divisions. */
const ROUNDING: f64 = 9.094947017729282e-13; // 2^-40

/** The products of the comparison without division are off by a few 2^-53; what is this close is computed exactly. */
const SLACK: f64 = 0.99999999999; // 1 - 1e-11

/** The result of `findSplit`: no predictor where none gains. */
export let bestGain: f64 = 0.0;
export let bestPredictor: i32 = -1;

/** `S^2 / (W + l2)`, 0 where there is no weight. */
export function objective(residual: f64, weight: f64, l2: f64): f64 {
  return weight > 0.0 ? (residual * residual) / (weight + l2) : 0.0;
}

/**
 * The split of largest gain `S0^2/W0 + S1^2/W1 - S^2/W` (paper eq. 3) of a node with sums (S, W); among equal gains the
 * earliest predictor. With `taken`, `histogram` is the parent's and becomes this node's own by taking the sibling's off
 * (exact, by the grid).
 *
 * Two predictors at a time are held against the best so far without a division: `S0^2 W1 + S1^2 W0 > (best + own) W0 W1`,
 * with a slack far above its rounding. The few that pass are computed as written.
 */
@inline
function scan(state: State, histogram: usize, sibling: usize, residual: f64, weight: f64, taken: bool): void {
  const l2 = load<f64>(state.numbers, L2);
  const least = load<f64>(state.numbers, MIN_LEAF_WEIGHT);
  const own = objective(residual, weight, l2);
  const zero = f64x2.splat(0.0);
  const residuals = f64x2.splat(residual);
  const weights = f64x2.splat(weight);
  const penalty = f64x2.splat(l2);
  const leastWeight = f64x2.splat(least);
  bestGain = own * ROUNDING;
  bestPredictor = -1;
  let bar = f64x2.splat((own + bestGain) * SLACK);
  let allowed = state.allowed;
  for (let at = histogram, end = histogram + state.histogramStride; at < end; at += 32) {
    let first = v128.load(at);
    let second = v128.load(at, 16);
    if (taken) {
      first = f64x2.sub(first, v128.load(sibling));
      second = f64x2.sub(second, v128.load(sibling, 16));
      v128.store(at, first);
      v128.store(at, second, 16);
      sibling += 32;
    }
    const s1 = v128.shuffle<f64>(first, second, 0, 2);
    const w1 = v128.shuffle<f64>(first, second, 1, 3);
    const s0 = f64x2.sub(residuals, s1);
    const w0 = f64x2.sub(weights, w1);
    const d0 = f64x2.add(w0, penalty);
    const d1 = f64x2.add(w1, penalty);
    const left = f64x2.add(f64x2.mul(f64x2.mul(s0, s0), d1), f64x2.mul(f64x2.mul(s1, s1), d0));
    let passes = f64x2.ge(left, f64x2.mul(f64x2.mul(d0, d1), bar));
    const lighter = f64x2.min(w0, w1);
    passes = v128.and(passes, v128.and(f64x2.gt(lighter, zero), f64x2.ge(lighter, leastWeight)));
    passes = v128.and(passes, v128.load(allowed));
    allowed += 16;
    if (v128.any_true(passes)) {
      const gains = f64x2.sub(
        f64x2.add(f64x2.div(f64x2.mul(s0, s0), d0), f64x2.div(f64x2.mul(s1, s1), d1)),
        f64x2.splat(own),
      );
      const predictor = <i32>((at - histogram) >>> 4);
      keepBetter(f64x2.extract_lane(gains, 0), i64x2.extract_lane(passes, 0), predictor);
      keepBetter(f64x2.extract_lane(gains, 1), i64x2.extract_lane(passes, 1), predictor + 1);
      bar = f64x2.splat((own + bestGain) * SLACK);
    }
  }
}

@inline
function keepBetter(gain: f64, passes: i64, predictor: i32): void {
  if (passes != 0 && gain > bestGain) {
    bestGain = gain;
    bestPredictor = predictor;
  }
}

export function findSplit(state: State, histogram: usize, residual: f64, weight: f64): void {
  scan(state, histogram, 0, residual, weight, false);
}

/** Subtracts the sibling's histogram from the parent's in place, and finds the split of what remains. */
export function findSplitOfRest(state: State, histogram: usize, sibling: usize, residual: f64, weight: f64): void {
  scan(state, histogram, sibling, residual, weight, true);
}
