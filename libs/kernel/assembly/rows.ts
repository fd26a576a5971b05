import { log } from '../../numerics/src/log';
import { countsOf } from './prepare';
import {
  classStart,
  GRID,
  HELD_OUT_COUNTED,
  LOG_LIKELIHOODS,
  State,
  TEST_ONE,
  TEST_ZERO,
  TRAIN_COUNTED,
  TRAIN_ONE,
  TRAIN_ZERO,
  VALID_ONE,
  VALID_ZERO,
} from './state';

const LN2: f64 = 0.6931471805599453;
/** Below this probability of what did not happen, its logarithm comes from a series: the product would lose its digits. */
const SMALL: f64 = 0.0009765625; // 2^-10

/**
 * One pass over the patterns of a class whose rows are single and all have y = `ones`: residuals and weights for the next
 * tree (training only), and the class's log-likelihood.
 *
 * `q = 1 / (1 + o)`, `p = o q`, `r = y - grid(p)`, `w = grid(p q)` (lbarn.md, step 1). The likelihood is a product of
 * mantissas and a sum of exponents, so that a logarithm is taken once a class instead of once a row.
 */
@inline
function passSingles(state: State, from: u32, to: u32, ones: bool, train: bool): f64 {
  const one = f64x2.splat(1.0);
  const zero = f64x2.splat(0.0);
  const grid = f64x2.splat(load<f64>(state.numbers, GRID));
  const small = f64x2.splat(SMALL);
  const mantissaBits = i64x2.splat(0x000fffffffffffff);
  const oneBits = i64x2.splat(0x3ff0000000000000);
  let product = one;
  let exponents = i64x2.splat(0);
  let series = zero;
  let gradient = state.gradients + (<usize>from << 4);
  const end = state.odds + (<usize>to << 3);
  for (let at = state.odds + (<usize>from << 3); at < end; at += 16) {
    const odds = v128.load(at);
    const q = f64x2.div(one, f64x2.add(one, odds));
    const p = f64x2.mul(odds, q);
    if (train) {
      const rounded = f64x2.sub(f64x2.add(p, grid), grid);
      const residual = f64x2.sub(ones ? one : zero, rounded);
      const weight = f64x2.sub(f64x2.add(f64x2.mul(p, q), grid), grid);
      v128.store(gradient, v128.shuffle<f64>(residual, weight, 0, 2));
      v128.store(gradient, v128.shuffle<f64>(residual, weight, 1, 3), 16);
      gradient += 32;
    }
    const right = ones ? p : q;
    const wrong = ones ? q : p;
    const isSmall = f64x2.lt(wrong, small);
    product = f64x2.mul(product, v128.bitselect(one, right, isSmall));
    exponents = i64x2.add(exponents, i64x2.shr_u(product, 52));
    product = v128.or(v128.and(product, mantissaBits), oneBits);
    if (v128.any_true(isSmall)) {
      // -ln(1 - s) = s + s^2/2 + ... + s^6/6, its rest below 2^-60 s
      let tail = f64x2.splat(1.0 / 6.0);
      tail = f64x2.add(f64x2.mul(tail, wrong), f64x2.splat(1.0 / 5.0));
      tail = f64x2.add(f64x2.mul(tail, wrong), f64x2.splat(1.0 / 4.0));
      tail = f64x2.add(f64x2.mul(tail, wrong), f64x2.splat(1.0 / 3.0));
      tail = f64x2.add(f64x2.mul(tail, wrong), f64x2.splat(1.0 / 2.0));
      tail = f64x2.add(f64x2.mul(tail, wrong), one);
      series = f64x2.add(series, v128.and(f64x2.mul(tail, wrong), isSmall));
    }
  }
  const steps = <f64>((to - from) >>> 1);
  const exponent =
    <f64>i64x2.extract_lane(exponents, 0) + <f64>i64x2.extract_lane(exponents, 1) - 2.0 * 1023.0 * steps;
  return (
    log(f64x2.extract_lane(product, 0)) +
    log(f64x2.extract_lane(product, 1)) +
    exponent * LN2 -
    (f64x2.extract_lane(series, 0) + f64x2.extract_lane(series, 1))
  );
}

/** `(ln(1 + o), ln(1 + 1/o))`: what a zero and a one cost. Both lanes by the series of `numerics`' log, 1 to 2 ulp. */
@inline
function costs(odds: f64): v128 {
  const one = f64x2.splat(1.0);
  const x = f64x2.replace_lane(f64x2.splat(odds), 1, 1.0 / odds);
  const u = f64x2.add(one, x);
  // what the sum lost: x - (u - 1) where x < 1, 1 - (u - x) where not
  const lost = v128.bitselect(f64x2.sub(x, f64x2.sub(u, one)), f64x2.sub(one, f64x2.sub(u, x)), f64x2.lt(x, one));
  // u = m 2^e with m in [sqrt(1/2), sqrt(2)): the bits are shifted so that the cut lies at sqrt(1/2)
  const shifted = i64x2.add(u, i64x2.splat(0x3ff0000000000000 - 0x3fe6a09e667f3bcd));
  const e = f64x2.sub(
    f64x2.convert_low_i32x4_s(v128.shuffle<i32>(i64x2.shr_u(shifted, 52), shifted, 0, 2, 0, 2)),
    f64x2.splat(1023.0),
  );
  const m = i64x2.add(v128.and(shifted, i64x2.splat(0x000fffffffffffff)), i64x2.splat(0x3fe6a09e667f3bcd));
  const f = f64x2.sub(m, one);
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2.0), f));
  const z = f64x2.mul(s, s);
  let series = f64x2.splat(2.0 / 23.0);
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 21.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 19.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 17.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 15.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 13.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 11.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 9.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 7.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 5.0));
  series = f64x2.add(f64x2.mul(series, z), f64x2.splat(2.0 / 3.0));
  const halfSquare = f64x2.mul(f64x2.splat(0.5), f64x2.mul(f, f));
  const low = f64x2.add(f64x2.mul(e, f64x2.splat(1.9082149292705877e-10)), f64x2.div(lost, u));
  const correction = f64x2.add(f64x2.mul(s, f64x2.add(halfSquare, f64x2.mul(series, z))), low);
  const high = f64x2.mul(e, f64x2.splat(0.6931471803691238));
  return f64x2.sub(high, f64x2.sub(f64x2.sub(halfSquare, correction), f));
}

/** As `passSingles`, for patterns with counts: n rows and k ones give `k - n grid(p)` and `n grid(p q)`. */
function passCounted(state: State, from: u32, size: u32, train: bool): void {
  const grid = load<f64>(state.numbers, GRID);
  let train0: f64 = 0.0;
  let valid0: f64 = 0.0;
  let test0: f64 = 0.0;
  let counts = size > 0 ? countsOf(state, from) : 0;
  for (let pattern = from, end = from + size; pattern < end; pattern++, counts += 48) {
    const odds = load<f64>(state.odds + (<usize>pattern << 3));
    if (train) {
      const q = 1.0 / (1.0 + odds);
      const p = odds * q;
      const rows = load<f64>(counts);
      const gradient = state.gradients + (<usize>pattern << 4);
      store<f64>(gradient, load<f64>(counts, 8) - rows * (p + grid - grid));
      store<f64>(gradient, rows * (p * q + grid - grid), 8);
    }
    const cost = costs(odds);
    const zero = f64x2.extract_lane(cost, 0);
    const one = f64x2.extract_lane(cost, 1);
    let ones = load<f64>(counts, 8);
    train0 += ones * one + (load<f64>(counts) - ones) * zero;
    ones = load<f64>(counts, 24);
    valid0 += ones * one + (load<f64>(counts, 16) - ones) * zero;
    ones = load<f64>(counts, 40);
    test0 += ones * one + (load<f64>(counts, 32) - ones) * zero;
  }
  addLogLikelihood(state, 0, -train0);
  addLogLikelihood(state, 1, -valid0);
  addLogLikelihood(state, 2, -test0);
}

function addLogLikelihood(state: State, split: usize, value: f64): void {
  const at = state.numbers + (split << 3);
  store<f64>(at, load<f64>(at, LOG_LIKELIHOODS) + value, LOG_LIKELIHOODS);
}

/** Residuals, weights and log-likelihoods (summed nats of each split) at the present odds. */
export function passRows(state: State): void {
  memory.fill(state.numbers + LOG_LIKELIHOODS, 0, 24);
  const validZero = classStart(state, VALID_ZERO);
  const testZero = classStart(state, TEST_ZERO);
  addLogLikelihood(state, 0, passSingles(state, 0, classStart(state, TRAIN_ONE), false, true));
  addLogLikelihood(state, 0, passSingles(state, classStart(state, TRAIN_ONE), classStart(state, TRAIN_COUNTED), true, true));
  addLogLikelihood(state, 1, passSingles(state, validZero, classStart(state, VALID_ONE), false, false));
  addLogLikelihood(state, 1, passSingles(state, classStart(state, VALID_ONE), testZero, true, false));
  addLogLikelihood(state, 2, passSingles(state, testZero, classStart(state, TEST_ONE), false, false));
  addLogLikelihood(state, 2, passSingles(state, classStart(state, TEST_ONE), classStart(state, HELD_OUT_COUNTED), true, false));
  passCounted(state, classStart(state, TRAIN_COUNTED), sizeOfClass(state, TRAIN_COUNTED), true);
  passCounted(state, classStart(state, HELD_OUT_COUNTED), sizeOfClass(state, HELD_OUT_COUNTED), false);
}

export function sizeOfClass(state: State, index: u32): u32 {
  return load<u32>(state.classSizes + (<usize>index << 2));
}
