import { nodeAt } from './nodes';
import { CLASSES, classStart, sizeOfClass, State } from './state';

// The odds of each pattern, multiplied by the factor of the leaf that it is in.

/** The bounds of odds: a probability of 1, and of 0. */
export const MOST_ODDS: f64 = 8.452712498170644e270; // 2^900
const LEAST_ODDS: f64 = 1.1830521861667747e-271; // 2^-900

/** Words of a mask with fewer bits are gone through bit by bit, others pair by pair. */
const FEW_BITS: u64 = 16;

/** One pattern's, in a vector: a minimum of scalars asks for NaN first, with branches. */
@inline
function multiplyOdds(at: usize, factors: v128): void {
  const odds = f64x2.mul(v128.load64_zero(at), factors);
  v128.store64_lane(at, withinBounds(odds), 0);
}

/** Two patterns', by a factor each. */
@inline
export function multiplyPair(at: usize, factors: v128): v128 {
  const odds = withinBounds(f64x2.mul(v128.load(at), factors));
  v128.store(at, odds);
  return odds;
}

@inline
function withinBounds(odds: v128): v128 {
  return f64x2.pmin(f64x2.splat(MOST_ODDS), f64x2.pmax(f64x2.splat(LEAST_ODDS), odds));
}

/**
 * Those of the set bits of a word, whose patterns begin at `odds`. The other pattern of the last pair keeps within the
 * bounds even if it is padding, as `multiplyPairs` has it: which way a word goes changes no bit.
 */
@inline
function multiplyBits(odds: usize, word: u64, factors: v128): void {
  if (!word) return;
  const last = odds + (<usize>((63 - clz(word)) | 1) << 3);
  for (; word; word &= word - 1) multiplyOdds(odds + (<usize>ctz(word) << 3), factors);
  v128.store64_lane(last, withinBounds(v128.load64_zero(last)), 0);
}

/**
 * Those of the patterns of a word up to its last set bit, two at a time, each pair by the factors that `pairs` has for
 * its two bits.
 */
@inline
function multiplyPairs(odds: usize, word: u64, pairs: usize): void {
  for (; word > 3; word >>= 4, odds += 32) {
    multiplyPair(odds, v128.load(pairs + ((<usize>word & 3) << 4)));
    multiplyPair(odds + 16, v128.load(pairs + ((<usize>word & 12) << 2)));
  }
  if (word) multiplyPair(odds, v128.load(pairs + (<usize>word << 4)));
}

/**
 * Multiplies the odds under a mask. The other patterns of a word may be multiplied by 1 and keep their bits (those of
 * padding may rise to the lower bound, which changes no sum).
 */
function multiplyMask(state: State, mask: usize, factor: f64): void {
  const one = f64x2.splat(1.0);
  const both = f64x2.splat(factor);
  const pairs = state.scratch; // 4 pairs of factors; free after the tree is grown
  v128.store(pairs, one);
  v128.store(pairs, f64x2.replace_lane(one, 0, factor), 16);
  v128.store(pairs, f64x2.replace_lane(one, 1, factor), 32);
  v128.store(pairs, both, 48);
  let odds = state.odds;
  for (let at = mask, end = mask + state.maskBytes; at < end; at += 8, odds += 512) {
    const word = load<u64>(at);
    if (popcnt(word) < FEW_BITS) multiplyBits(odds, word, both);
    else multiplyPairs(odds, word, pairs);
  }
}

/** Multiplies the odds of two patterns by the factors of their leaves, a byte each, and gives them. */
@inline
export function applyPair(at: usize, leaves: usize, factors: usize): v128 {
  const first = v128.load64_zero(factors + (<usize>load<u8>(leaves) << 3));
  return multiplyPair(at, v128.load64_lane(factors + (<usize>load<u8>(leaves, 1) << 3), first, 1));
}

/** Where `leafOfPattern` has the leaves: two patterns at a time. */
function applyByBlocks(state: State): void {
  const factors = state.leafFactors;
  for (let index: u32 = 0; index < CLASSES; index++) {
    const start = <usize>classStart(state, index);
    // the other one of the last pair may be padding, which keeps within the bounds and changes no sum
    const end = start + ((<usize>sizeOfClass(state, index) + 1) & ~1);
    for (let pattern = start; pattern < end; pattern += 2)
      applyPair(state.odds + (pattern << 3), state.leafOfPattern + pattern, factors);
  }
}

/** Multiplies the odds of every pattern by its leaf's factor (how-it-works.md, step 3). */
export function applyFactors(state: State): void {
  if (state.isSortedByBlocks) {
    applyByBlocks(state);
    return;
  }
  for (let leaf: u32 = 0; leaf < state.leafCount; leaf++) {
    const node = nodeAt(state, leaf);
    const factor = load<f64>(state.leafFactors + (<usize>leaf << 3));
    if (factor == 1.0) continue;
    if (node.mask) {
      multiplyMask(state, node.mask, factor);
    } else {
      const factors = f64x2.splat(factor);
      for (let at = node.list, end = node.list + (<usize>node.size << 2); at < end; at += 4)
        multiplyOdds(state.odds + (<usize>load<u32>(at) << 3), factors);
    }
  }
}
