import { L2, MIN_LEAF_WEIGHT, State } from './state';

/** Gains up to this share of the node's own objective are the rounding of the divisions. */
const ROUNDING: f64 = 9.094947017729282e-13; // 2^-40

/** Scores are off by a few 2^-53; of those that are this close to the largest the gains are computed as written. */
const SLACK: f64 = 0.99999999999; // 1 - 1e-11

/** The result of `findSplit`: the predictor's place in the histogram, -1 where none gains, and where its sums lie. */
export let bestGain: f64 = 0.0;
export let bestPredictor: i32 = -1;
export let bestSums: usize = 0;

/** Of the numbers above 0 the least: a weight of at least that is above 0. */
const LEAST: f64 = 5e-324;

/** `S^2 / (W + l2)`, 0 where there is no weight. */
export function objective(residual: f64, weight: f64, l2: f64): f64 {
  return weight > 0.0 ? (residual * residual) / (weight + l2) : 0.0;
}

/**
 * The split of largest gain `S0^2/W0 + S1^2/W1 - S^2/W` (paper eq. 3) of a node with sums (S, W); among equal gains the
 * earliest predictor. With `taken`, `histogram` is the parent's and becomes this node's own by taking the sibling's off
 * (exact, by the grid).
 *
 * Two predictors at a time are asked whether a score `(S0^2 W1 + S1^2 W0) / (W0 W1)` comes close to the largest so far,
 * which takes no division. Few do, and are listed; of these the ones that are close to the largest of all are looked at
 * again.
 *
 * @param end of the histogram, which has an even number of predictors
 * @param masked whether predictors have to be allowed; of a table the histogram has no others
 * @param places u32 each, where the histogram has not all of the predictors, nor in their order: which it has
 */
@inline
function scan(
  state: State,
  histogram: usize,
  end: usize,
  sibling: usize,
  residual: f64,
  weight: f64,
  taken: bool,
  masked: bool,
  places: usize,
): void {
  const l2 = load<f64>(state.numbers, L2);
  const leastWeight = f64x2.splat(max(load<f64>(state.numbers, MIN_LEAF_WEIGHT), LEAST));
  const own = objective(residual, weight, l2);
  bestGain = own * ROUNDING;
  bestPredictor = -1;
  const residuals = f64x2.splat(residual);
  const weights = f64x2.splat(weight);
  const penalty = f64x2.splat(l2);
  let most = own + bestGain;
  let bars = f64x2.splat(most * SLACK);
  let allowed = state.allowed;
  // of two predictors the larger score, then where they are with a bit for each that comes close
  let listed = state.scores;
  for (let at = histogram; at < end; at += 32) {
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
    const divisor = f64x2.mul(d0, d1);
    const isHeavy = f64x2.ge(f64x2.pmin(w0, w1), leastWeight);
    const may = masked ? v128.and(isHeavy, v128.load(allowed)) : isHeavy;
    if (masked) allowed += 16;
    const isClose = v128.and(f64x2.gt(left, f64x2.mul(bars, divisor)), may);
    const bits = <u32>i64x2.bitmask(isClose);
    if (!bits) continue;
    const scores = v128.and(f64x2.div(left, divisor), isClose);
    const larger = max(f64x2.extract_lane(scores, 0), f64x2.extract_lane(scores, 1));
    store<f64>(listed, larger);
    store<u32>(listed, <u32>at | bits, 8);
    listed += 16;
    if (larger > most) {
      most = larger;
      bars = f64x2.splat(most * SLACK);
    }
  }
  const bar = most * SLACK;
  for (let entry = state.scores; entry < listed; entry += 16) {
    if (load<f64>(entry) < bar) continue;
    const bits = load<u32>(entry, 8);
    const at = <usize>(bits & ~3);
    const place = (at - histogram) >>> 4;
    const first = places ? load<i32>(places + (place << 2)) : <i32>place;
    const second = places ? load<i32>(places + (place << 2), 4) : <i32>place + 1;
    if (bits & 1) keepBetter(at, first, residual, weight, own, l2);
    if (bits & 2) keepBetter(at + 16, second, residual, weight, own, l2);
  }
}

/** Of a predictor that may split, its 1 side's sums at `cell`. */
function keepBetter(cell: usize, predictor: i32, residual: f64, weight: f64, own: f64, l2: f64): void {
  const s1 = load<f64>(cell);
  const w1 = load<f64>(cell, 8);
  const gain = objective(residual - s1, weight - w1, l2) + objective(s1, w1, l2) - own;
  if (gain > bestGain || (gain == bestGain && predictor < bestPredictor)) {
    bestGain = gain;
    bestPredictor = predictor;
    bestSums = cell;
  }
}

export function findSplit(state: State, histogram: usize, residual: f64, weight: f64): void {
  const end = histogram + state.histogramStride;
  if (state.fieldTotal) scan(state, histogram, end, 0, residual, weight, false, false, 0);
  else scan(state, histogram, end, 0, residual, weight, false, true, 0);
}

/** The same of splits that are listed: their sums up to `end`, and the place of each. */
export function findListedSplit(
  state: State,
  sums: usize,
  end: usize,
  places: usize,
  residual: f64,
  weight: f64,
): void {
  scan(state, sums, end, 0, residual, weight, false, false, places);
}

/** Subtracts the sibling's histogram from the parent's in place, and finds the split of what remains. */
export function findSplitOfRest(state: State, histogram: usize, sibling: usize, residual: f64, weight: f64): void {
  const end = histogram + state.histogramStride;
  if (state.fieldTotal) scan(state, histogram, end, sibling, residual, weight, true, false, 0);
  else scan(state, histogram, end, sibling, residual, weight, true, true, 0);
}
