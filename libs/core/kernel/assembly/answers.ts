import { Bundle, bundleAt } from './bundles';
import { BLOCK } from './codes';
import { Field, FIELD_CODES, fieldAt, fieldsBefore, hasCode, isInSet, NO_SETS, RANGE_BYTES, setOf } from './fields';
import { codeMapAt, CONSTANT, OwnField, ownFieldAt } from './own-fields';
import { State } from './state';

// How a predictor of a table splits patterns: a table of answers, one for each code of the bundle that its field is in.

/** Answers by code, then those by a code's halves. */
export const ANSWER_BYTES: u64 = FIELD_CODES + 32;

/** The bundle of the predictor that was asked for, or -1 where all rows have the same value. */
export let askedBundle: i32 = -1;
/** Whether its answer is 1 with a range of codes; and then the first of them, and how far the last is from it. */
export let isRange: bool = false;
let rangeFrom: u32 = 0;
let rangeMost: u32 = 0;

/**
 * Writes to `answers` the value of a predictor with each code of its bundle, u8, and says in `askedBundle` which bundle
 * that is. Where all rows have one value it is the first answer.
 */
export function askPredictor(state: State, predictor: u32): void {
  isRange = false;
  const index = fieldsBefore(state, predictor + 1) - 1;
  const field = fieldAt(state, index);
  const place = load<u32>(state.places + (<usize>index << 2));
  if (place & CONSTANT) {
    askedBundle = -1;
    store<u8>(state.answers, hasCode(state, field, predictor, place ^ CONSTANT) ? 1 : 0);
    return;
  }
  const own = ownFieldAt(state, place);
  askedBundle = own.bundle;
  const values = state.occurring; // of each own code
  if (field.sets == NO_SETS) {
    const range = state.codeRanges + <usize>predictor * RANGE_BYTES;
    const from = ownCodesBefore(state, field, own, <u32>load<u16>(range));
    const to = ownCodesBefore(state, field, own, <u32>load<u16>(range, 2));
    if (own.codes == bundleAt(state, own.bundle).codes) {
      isRange = to > from;
      rangeFrom = from;
      // a width of 256 is no byte
      rangeMost = to - from - 1;
      answerRange(state.answers);
      return;
    }
    for (let code: u32 = 0; code < own.codes; code++) store<u8>(values + code, code >= from && code < to ? 1 : 0);
  } else {
    const map = codeMapAt(state, index);
    const set = setOf(state, field, predictor);
    const codes = field.codes;
    // a code that does not occur has the number of the next one that does, which is written behind it
    for (let code: u32 = 0; code < codes; code++)
      store<u8>(values + <usize>load<u8>(map + code), isInSet(set, code) ? 1 : 0);
  }
  spread(values, own, bundleAt(state, own.bundle), state.answers);
}

/** Of a bundle of one field: 1 with the codes of a range. Sixteen at a time. */
@inline
function answerRange(answers: usize): void {
  const one = i8x16.splat(isRange ? 1 : 0);
  const first = i8x16.splat(<i8>rangeFrom);
  const most = i8x16.splat(<i8>rangeMost);
  let codes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (const end = answers + FIELD_CODES; answers < end; answers += 16) {
    v128.store(answers, v128.and(isWithin(codes, first, most), one));
    codes = i8x16.add(codes, i8x16.splat(16));
  }
}

/** Which of sixteen codes are at most so far behind a first one, all bits of a lane or none. */
@inline
function isWithin(codes: v128, first: v128, most: v128): v128 {
  return i8x16.le_u(i8x16.sub(codes, first), most);
}

/** How many own codes come before a code of the field. */
@inline
function ownCodesBefore(state: State, field: Field, own: OwnField, code: u32): u32 {
  return code < field.codes ? <u32>load<u8>(codeMapAt(state, own.index) + code) : own.codes;
}

/**
 * From values by an own field's code to answers by the code of its bundle. Sixteen at a time: what is written behind a
 * code's own answers is written over by the next code's.
 */
function spread(values: usize, own: OwnField, bundle: Bundle, answers: usize): void {
  const end = answers + bundle.codes;
  let to = answers;
  for (const last = values + own.codes; values < last; values++) {
    const value = v128.load8_splat(values);
    for (let at: usize = 0; at < own.unit; at += 16) v128.store(to + at, value);
    to += own.unit;
  }
  // what there is repeats: as much again each time
  for (let written = to - answers; to < end; to += written, written <<= 1)
    for (let at: usize = 0; at < written && to + at < end; at += 16) v128.store(to + at, v128.load(answers + at));
}

/** Behind the answers by code. */
@inline
export function halvesAt(state: State): usize {
  return state.answers + FIELD_CODES;
}

/**
 * What {@link onesOfLanes} reads, two vectors: of a range its first code and its width; else of each lower half of a code
 * eight bits and eight more, with which higher halves the answer is 1.
 */
export function writeHalves(state: State): void {
  if (isRange) {
    v128.store(halvesAt(state), i8x16.splat(<i8>rangeFrom));
    v128.store(halvesAt(state), i8x16.splat(<i8>rangeMost), 16);
    return;
  }
  let answers = state.answers;
  for (let half: usize = 0; half < 2; half++) {
    let bits = i64x2.splat(0);
    for (let bit = 0; bit < 8; bit++, answers += BLOCK)
      // answers are 0 and 1, so no bit goes over to the next lane
      bits = v128.or(bits, i64x2.shl(v128.load(answers), bit));
    v128.store(halvesAt(state) + (half << 4), bits);
  }
}

/** The codes of the bundle that was asked, the first pattern's. */
@inline
export function askedCodes(state: State): usize {
  return state.codes + <usize>askedBundle * BLOCK;
}

/**
 * Which of the sixteen patterns of a block have an answer of 1, all bits of a lane or none. Where it is no range the
 * lower half of a code looks up eight answers, of which the higher half says the one that counts.
 *
 * @param codes of the block in the bundle that was asked
 * @param lower the first vector of `writeHalves`, and `upper` the second
 */
@inline
export function onesOfLanes(codes: usize, lower: v128, upper: v128, range: bool): v128 {
  if (range) return isWithin(v128.load(codes), lower, upper);
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const block = v128.load(codes);
  const low = v128.and(block, i8x16.splat(15));
  const high = v128.and(i16x8.shr_u(block, 4), i8x16.splat(15));
  const isUpper = i8x16.lt_s(block, i8x16.splat(0));
  const eight = v128.bitselect(v128.swizzle(upper, low), v128.swizzle(lower, low), isUpper);
  const bit = v128.swizzle(bits, high);
  return i8x16.eq(v128.and(eight, bit), bit);
}

/** Moves the patterns of a mask whose answer is 1 to another, sixteen at a time. */
@inline
function divideMask(
  state: State,
  source: usize,
  end: usize,
  target: usize,
  codes: usize,
  range: bool,
): u32 {
  const lower = v128.load(halvesAt(state));
  const upper = v128.load(halvesAt(state), 16);
  const blockBytes = <usize>state.bundleCount * BLOCK;
  let moved: u64 = 0;
  for (; source < end; source += 2, target += 2, codes += blockBytes) {
    const all = <u32>load<u16>(source);
    const ones: u32 = all ? <u32>i8x16.bitmask(onesOfLanes(codes, lower, upper, range)) & all : 0;
    store<u16>(target, <u16>ones);
    store<u16>(source, <u16>(all ^ ones));
    moved += popcnt(ones);
  }
  return <u32>moved;
}

/**
 * Moves the patterns of a mask whose answer is 1 to another.
 *
 * @param end of the source
 * @param codes of the source's first pattern in the bundle that was asked
 * @returns how many were moved
 */
export function divideMaskByCodes(state: State, source: usize, end: usize, target: usize, codes: usize): u32 {
  if (isRange) return divideMask(state, source, end, target, codes, true);
  return divideMask(state, source, end, target, codes, false);
}

/**
 * Copies the patterns of a list whose answer is 0 to `zeros`, where the list itself may begin, the others to `ones`.
 *
 * @param codes of the first pattern in the bundle that was asked
 * @returns how many bytes went to `ones`
 */
export function divideListByCodes(
  state: State,
  list: usize,
  end: usize,
  zeros: usize,
  ones: usize,
  codes: usize,
): usize {
  const start = ones;
  const answers = state.answers;
  const bundles = <usize>state.bundleCount;
  for (; list < end; list += 4) {
    const pattern = load<u32>(list);
    const code = <usize>load<u8>(codes + <usize>(pattern & ~(BLOCK - 1)) * bundles + (pattern & (BLOCK - 1)));
    const one = <usize>load<u8>(answers + code) << 2;
    // both sides are written, one advances: no branch to mispredict
    store<u32>(zeros, pattern);
    store<u32>(ones, pattern);
    zeros += 4 - one;
    ones += one;
  }
  return ones - start;
}
