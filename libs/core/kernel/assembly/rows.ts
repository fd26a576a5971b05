import { log } from '../../numerics/src/log';
import { codesAt } from './codes';
import { cost, costOfProduct, LN2, mixedCost, seriesOf, SMALL } from './costs';
import { addCodes, addEntries, addFrom } from './histogram';
import { countsOf } from './patterns';
import {
  classStart,
  GRADIENT_SUM,
  GRID,
  HELD_OUT_COUNTED,
  LOG_LIKELIHOODS,
  sizeOfClass,
  State,
  TEST_ONE,
  TEST_ZERO,
  TRAIN_MIXED,
  TRAIN_ONE,
  TRAIN_PURE_ONE,
  TRAIN_PURE_ZERO,
  TRAIN_ZERO,
  VALID_ONE,
  VALID_ZERO,
} from './state';

/**
 * Above it what happened was so unlikely that two such probabilities are not multiplied at once: they could underflow.
 */
const LARGE: f64 = 0.9998779296875; // 1 - 2^-13

/** Where a counted class ends, but for padding of whole pairs: that has counts of 0 and would change no sum. */
@inline
function endOfCounted(state: State, index: u32): u32 {
  return classStart(state, index) + ((sizeOfClass(state, index) + 1) & ~1);
}

/** (S, W) over all training rows, gathered while the gradients are computed. */
let gradientSum: v128 = i64x2.splat(0);

/**
 * One pass over the patterns of a class whose rows are single and all have y = `ones`: residuals and weights for the
 * next tree (training only), and the class's log-likelihood.
 *
 * `q = 1 / (1 + o)`, `p = o q`, `r = y - grid(p)`, `w = grid(p q)` (how-it-works.md, step 1). The likelihood is a
 * product of mantissas and a sum of exponents, so that a logarithm is taken once a class instead of once a row. Four
 * patterns at a time; those with a likelihood that the product would lose are rare, or neighbours once patterns lie
 * leaf by leaf.
 *
 * With `summing` each pattern's residual and weight are added to the tables too, while they are at hand: these
 * additions wait for memory, what is computed here for divisions, and a processor does both at once.
 */
@inline
function passSingles<T>(state: State, index: u32, ones: bool, train: bool, summing: bool): f64 {
  const from = classStart(state, index);
  // padding too: its likelihood is not quite 1, which counts where all others are nearer to 1 than 2^-840
  const to = classStart(state, index + 1);
  if (from == to) return 0.0;
  // in tables it adds nothing
  const summedEnd = from + sizeOfClass(state, index);
  const one = f64x2.splat(1.0);
  const zero = f64x2.splat(0.0);
  const grid = f64x2.splat(load<f64>(state.numbers, GRID));
  const small = f64x2.splat(SMALL);
  const large = f64x2.splat(LARGE);
  const mantissaBits = i64x2.splat(0x000fffffffffffff);
  const oneBits = i64x2.splat(0x3ff0000000000000);
  let product = one;
  let exponents = i64x2.splat(0);
  let series = zero;
  let residuals = zero;
  let weights = zero;
  let gradient = state.gradients + (<usize>from << 4);
  const tables = state.tables;
  const isCodes = sizeof<T>() == 1;
  const count = state.bundleCount;
  let pattern = from;
  let starts = state.entryStarts + (<usize>from << 2);
  let entry = summing && !isCodes ? <usize>load<u32>(starts) : 0;
  const end = state.odds + (<usize>to << 3);
  for (let at = state.odds + (<usize>from << 3); at < end; at += 32) {
    const odds1 = v128.load(at);
    const odds2 = v128.load(at, 16);
    const q1 = f64x2.div(one, f64x2.add(one, odds1));
    const q2 = f64x2.div(one, f64x2.add(one, odds2));
    const p1 = f64x2.mul(odds1, q1);
    const p2 = f64x2.mul(odds2, q2);
    if (train) {
      const residual1 = f64x2.sub(ones ? one : zero, f64x2.sub(f64x2.add(p1, grid), grid));
      const residual2 = f64x2.sub(ones ? one : zero, f64x2.sub(f64x2.add(p2, grid), grid));
      const weight1 = f64x2.sub(f64x2.add(f64x2.mul(p1, q1), grid), grid);
      const weight2 = f64x2.sub(f64x2.add(f64x2.mul(p2, q2), grid), grid);
      residuals = f64x2.add(residuals, f64x2.add(residual1, residual2));
      weights = f64x2.add(weights, f64x2.add(weight1, weight2));
      const first = v128.shuffle<f64>(residual1, weight1, 0, 2);
      const second = v128.shuffle<f64>(residual1, weight1, 1, 3);
      const third = v128.shuffle<f64>(residual2, weight2, 0, 2);
      const fourth = v128.shuffle<f64>(residual2, weight2, 1, 3);
      v128.store(gradient, first);
      v128.store(gradient, second, 16);
      v128.store(gradient, third, 32);
      v128.store(gradient, fourth, 48);
      if (summing && isCodes) {
        if (pattern < summedEnd) {
          // four patterns are of one block
          const codes = codesAt(state, pattern);
          addCodes(codes, count, tables, first);
          addCodes(codes + 1, count, tables, second);
          addCodes(codes + 2, count, tables, third);
          addCodes(codes + 3, count, tables, fourth);
        }
        pattern += 4;
      } else if (summing) {
        entry = addEntries<T>(entry, <usize>load<u32>(starts, 4), tables, first);
        entry = addEntries<T>(entry, <usize>load<u32>(starts, 8), tables, second);
        entry = addEntries<T>(entry, <usize>load<u32>(starts, 12), tables, third);
        entry = addEntries<T>(entry, <usize>load<u32>(starts, 16), tables, fourth);
        starts += 16;
      }
      gradient += 64;
    }
    let right1 = ones ? p1 : q1;
    let right2 = ones ? p2 : q2;
    const wrong1 = ones ? q1 : p1;
    const wrong2 = ones ? q2 : p2;
    const least = f64x2.pmin(wrong1, wrong2);
    const most = f64x2.pmax(wrong1, wrong2);
    if (v128.any_true(v128.or(f64x2.lt(least, small), f64x2.gt(most, large)))) {
      const isSmall1 = f64x2.lt(wrong1, small);
      const isSmall2 = f64x2.lt(wrong2, small);
      right1 = v128.bitselect(one, right1, isSmall1);
      right2 = v128.bitselect(one, right2, isSmall2);
      series = f64x2.add(series, f64x2.add(v128.and(seriesOf(wrong1), isSmall1), v128.and(seriesOf(wrong2), isSmall2)));
      // two of these could underflow together
      product = f64x2.mul(product, right1);
      exponents = i64x2.add(exponents, i64x2.shr_u(product, 52));
      exponents = i64x2.sub(exponents, i64x2.splat(1023));
      product = f64x2.mul(v128.or(v128.and(product, mantissaBits), oneBits), right2);
    } else {
      product = f64x2.mul(product, f64x2.mul(right1, right2));
    }
    exponents = i64x2.add(exponents, i64x2.shr_u(product, 52));
    product = v128.or(v128.and(product, mantissaBits), oneBits);
  }
  if (train) addGradients(residuals, weights);
  const steps = <f64>((to - from) >>> 2);
  const exponent =
    <f64>i64x2.extract_lane(exponents, 0) + <f64>i64x2.extract_lane(exponents, 1) - 2.0 * 1023.0 * steps;
  return (
    log(f64x2.extract_lane(product, 0)) +
    log(f64x2.extract_lane(product, 1)) +
    exponent * LN2 -
    (f64x2.extract_lane(series, 0) + f64x2.extract_lane(series, 1))
  );
}

/** Writes residuals and weights of two patterns. */
@inline
function storeGradients(gradient: usize, residual: v128, weight: v128): void {
  v128.store(gradient, v128.shuffle<f64>(residual, weight, 0, 2));
  v128.store(gradient, v128.shuffle<f64>(residual, weight, 1, 3), 16);
}

/**
 * The weights of two counted patterns of n rows each: `n grid(p q)`; their residuals are `k - n grid(p)`, k the ones.
 */
@inline
export function weightOf(rows: v128, p: v128, q: v128, grid: v128): v128 {
  return f64x2.mul(rows, f64x2.sub(f64x2.add(f64x2.mul(p, q), grid), grid));
}

@inline
export function residualOf(rows: v128, ones: v128, p: v128, grid: v128): v128 {
  return f64x2.sub(ones, f64x2.mul(rows, f64x2.sub(f64x2.add(p, grid), grid)));
}

/**
 * As `passSingles`, for training patterns of several rows that all have y = `ones`. Their counts are sorted: while two
 * patterns after two have the same counts, their probabilities are multiplied and one logarithm is taken for all.
 */
@inline
function passPure(state: State, index: u32, ones: bool): void {
  const from = classStart(state, index);
  const to = endOfCounted(state, index);
  if (from == to) return;
  const one = f64x2.splat(1.0);
  const grid = f64x2.splat(load<f64>(state.numbers, GRID));
  const small = f64x2.splat(SMALL);
  const mantissaBits = i64x2.splat(0x000fffffffffffff);
  const oneBits = i64x2.splat(0x3ff0000000000000);
  const stride = <usize>state.countStride;
  let counts = countsOf(state, from);
  let rows = v128.load(counts);
  let validRows = v128.load(counts + 2 * stride);
  let testRows = v128.load(counts + 4 * stride);
  let product = one;
  let exponents = i64x2.splat(0);
  let series = f64x2.splat(0.0);
  let residuals = series;
  let weights = series;
  let trainCosts = series;
  let validCosts = series;
  let testCosts = series;
  let gradient = state.gradients + (<usize>from << 4);
  const end = state.odds + (<usize>to << 3);
  for (let at = state.odds + (<usize>from << 3); at < end; at += 16, counts += 16, gradient += 32) {
    const here = v128.load(counts);
    const validHere = v128.load(counts + 2 * stride);
    const testHere = v128.load(counts + 4 * stride);
    const same = v128.and(f64x2.eq(here, rows), v128.and(f64x2.eq(validHere, validRows), f64x2.eq(testHere, testRows)));
    if (!i64x2.all_true(same)) {
      const total = f64x2.add(costOfProduct(product, exponents), series);
      trainCosts = f64x2.add(trainCosts, f64x2.mul(rows, total));
      validCosts = f64x2.add(validCosts, f64x2.mul(validRows, total));
      testCosts = f64x2.add(testCosts, f64x2.mul(testRows, total));
      product = one;
      exponents = i64x2.splat(0);
      series = f64x2.splat(0.0);
      rows = here;
      validRows = validHere;
      testRows = testHere;
    }
    const odds = v128.load(at);
    const q = f64x2.div(one, f64x2.add(one, odds));
    const p = f64x2.mul(odds, q);
    const residual = residualOf(rows, ones ? rows : f64x2.splat(0.0), p, grid);
    const weight = weightOf(rows, p, q, grid);
    residuals = f64x2.add(residuals, residual);
    weights = f64x2.add(weights, weight);
    storeGradients(gradient, residual, weight);
    const right = ones ? p : q;
    const wrong = ones ? q : p;
    const isSmall = f64x2.lt(wrong, small);
    product = f64x2.mul(product, v128.bitselect(one, right, isSmall));
    exponents = i64x2.add(exponents, i64x2.sub(i64x2.shr_u(product, 52), i64x2.splat(1023)));
    product = v128.or(v128.and(product, mantissaBits), oneBits);
    series = f64x2.add(series, v128.and(seriesOf(wrong), isSmall));
  }
  addGradients(residuals, weights);
  const total = f64x2.add(costOfProduct(product, exponents), series);
  addLogLikelihood(state, 0, -sumOfLanes(f64x2.add(trainCosts, f64x2.mul(rows, total))));
  addLogLikelihood(state, 1, -sumOfLanes(f64x2.add(validCosts, f64x2.mul(validRows, total))));
  addLogLikelihood(state, 2, -sumOfLanes(f64x2.add(testCosts, f64x2.mul(testRows, total))));
}

/**
 * As `passSingles`, for patterns with counts whose rows differ in y: both costs, of a one and of a zero, are needed.
 */
@inline
function passMixed(state: State, index: u32, train: bool): void {
  const from = classStart(state, index);
  const to = endOfCounted(state, index);
  if (from == to) return;
  const one = f64x2.splat(1.0);
  const grid = f64x2.splat(load<f64>(state.numbers, GRID));
  const stride = <usize>state.countStride;
  let residuals = f64x2.splat(0.0);
  let weights = residuals;
  let costs0 = residuals;
  let costs1 = costs0;
  let costs2 = costs0;
  let gradient = state.gradients + (<usize>from << 4);
  let counts = countsOf(state, from);
  const end = state.odds + (<usize>to << 3);
  for (let at = state.odds + (<usize>from << 3); at < end; at += 16, counts += 16, gradient += 32) {
    const odds = v128.load(at);
    const q = f64x2.div(one, f64x2.add(one, odds));
    const p = f64x2.mul(odds, q);
    const rows = v128.load(counts);
    const ones = v128.load(counts + stride);
    if (train) {
      const residual = residualOf(rows, ones, p, grid);
      const weight = weightOf(rows, p, q, grid);
      residuals = f64x2.add(residuals, residual);
      weights = f64x2.add(weights, weight);
      storeGradients(gradient, residual, weight);
    }
    const zeroCost = cost(q, p);
    const oneCost = cost(p, q);
    costs0 = f64x2.add(costs0, mixedCost(rows, ones, zeroCost, oneCost));
    const validAt = counts + 2 * stride;
    costs1 = f64x2.add(costs1, mixedCost(v128.load(validAt), v128.load(validAt + stride), zeroCost, oneCost));
    const testAt = counts + 4 * stride;
    costs2 = f64x2.add(costs2, mixedCost(v128.load(testAt), v128.load(testAt + stride), zeroCost, oneCost));
  }
  if (train) addGradients(residuals, weights);
  addLogLikelihood(state, 0, -sumOfLanes(costs0));
  addLogLikelihood(state, 1, -sumOfLanes(costs1));
  addLogLikelihood(state, 2, -sumOfLanes(costs2));
}

@inline
function addGradients(residuals: v128, weights: v128): void {
  const firsts = v128.shuffle<f64>(residuals, weights, 0, 2);
  gradientSum = f64x2.add(gradientSum, f64x2.add(firsts, v128.shuffle<f64>(residuals, weights, 1, 3)));
}

@inline
function sumOfLanes(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}

function addLogLikelihood(state: State, split: usize, value: f64): void {
  const at = state.numbers + (split << 3);
  store<f64>(at, load<f64>(at, LOG_LIKELIHOODS) + value, LOG_LIKELIHOODS);
}

// The passes by class. Each is called twice or more and so stays a function of its own: an engine optimizes those alone
// that a conditional runs often, which is most of what the first one of a process costs.

function passTraining(state: State, index: u32): void {
  if (index == TRAIN_ONE) addLogLikelihood(state, 0, passSingles<u16>(state, index, true, true, false));
  else addLogLikelihood(state, 0, passSingles<u16>(state, index, false, true, false));
}

/** As `passTraining`, and adds to the tables. */
function sumTraining<T>(state: State, index: u32): void {
  if (index == TRAIN_ONE) addLogLikelihood(state, 0, passSingles<T>(state, index, true, true, true));
  else addLogLikelihood(state, 0, passSingles<T>(state, index, false, true, true));
}

function passCounted(state: State, index: u32): void {
  if (index == TRAIN_PURE_ZERO) passPure(state, index, false);
  else if (index == TRAIN_PURE_ONE) passPure(state, index, true);
  else passMixed(state, index, index == TRAIN_MIXED);
}

function passHeldOut(state: State, split: usize, index: u32): void {
  if (index == VALID_ONE || index == TEST_ONE)
    addLogLikelihood(state, split, passSingles<u16>(state, index, true, false, false));
  else addLogLikelihood(state, split, passSingles<u16>(state, index, false, false, false));
}

/**
 * Residuals, weights and log-likelihoods (summed nats of each split) at the present odds.
 *
 * @param summing whether the tables, which are zero, are to have the sums of all training patterns
 */
export function passRows(state: State, summing: bool): void {
  memory.fill(state.numbers + LOG_LIKELIHOODS, 0, 24);
  gradientSum = i64x2.splat(0);
  if (!summing) {
    passTraining(state, TRAIN_ZERO);
    passTraining(state, TRAIN_ONE);
  } else if (state.fieldTotal) {
    sumTraining<u8>(state, TRAIN_ZERO);
    sumTraining<u8>(state, TRAIN_ONE);
  } else if (state.wideEntries) {
    sumTraining<u32>(state, TRAIN_ZERO);
    sumTraining<u32>(state, TRAIN_ONE);
  } else {
    sumTraining<u16>(state, TRAIN_ZERO);
    sumTraining<u16>(state, TRAIN_ONE);
  }
  passCounted(state, TRAIN_PURE_ZERO);
  passCounted(state, TRAIN_PURE_ONE);
  passCounted(state, TRAIN_MIXED);
  if (summing) sumCounted(state);
  passHeldOut(state, 1, VALID_ZERO);
  passHeldOut(state, 1, VALID_ONE);
  passHeldOut(state, 2, TEST_ZERO);
  passHeldOut(state, 2, TEST_ONE);
  passCounted(state, HELD_OUT_COUNTED);
  v128.store(state.numbers, gradientSum, GRADIENT_SUM);
}

/** Adds the training patterns with counts to the tables: where patterns have counts they are few. */
function sumCounted(state: State): void {
  const first = classStart(state, TRAIN_PURE_ZERO);
  if (state.fieldTotal) addFrom<u8>(state, first);
  else if (state.wideEntries) addFrom<u32>(state, first);
  else addFrom<u16>(state, first);
  state.isSummed = 1;
}
