import { Bundle, BUNDLE_BYTES, memberAt } from './bundles';
import { codeMapAt } from './own-fields';
import { NO_ROW, State } from './state';

// Codes of the patterns of a table, a byte a bundle. Patterns lie in blocks of sixteen: of each bundle the block's
// codes are side by side, so that a vector says of all sixteen on which side of a split they are; and a pattern's codes
// are near each other, as the sums of a node of few patterns want them.

export const BLOCK: u32 = 16;

/** Where the code of a pattern's first bundle lies; that of the next is `BLOCK` bytes behind. */
@inline
export function codesAt(state: State, pattern: u32): usize {
  const block = <usize>(pattern & ~(BLOCK - 1));
  return state.codes + block * state.bundleCount + (pattern & (BLOCK - 1));
}

/** Writes the codes of all patterns, in their present order. O(patterns x fields). */
export function writeCodes(state: State): void {
  const rows = state.scratch; // free between trees, and larger: u32 per pattern of a block, where its row lies
  const bundles = state.bundles;
  const bundlesEnd = bundles + <usize>state.bundleCount * BUNDLE_BYTES;
  let to = state.codes;
  let row: usize = 0;
  for (let first: u32 = 0; first < state.patternEnd; first += BLOCK) {
    for (let pattern: u32 = 0; pattern < BLOCK; pattern++) {
      const index = load<u32>(state.patternRow + (<usize>(first + pattern) << 2));
      // padding has the codes of a pattern before it: it has no gradient, and is in no node
      if (index != NO_ROW) row = state.rows + <usize>index * state.rowStride;
      store<u32>(rows + (<usize>pattern << 2), <u32>row);
    }
    for (let at = bundles; at < bundlesEnd; at += BUNDLE_BYTES, to += BLOCK)
      writeBlock(state, changetype<Bundle>(at), rows, to);
  }
}

/** The codes of a block of patterns in one bundle. */
@inline
function writeBlock(state: State, bundle: Bundle, rows: usize, to: usize): void {
  v128.store(to, i64x2.splat(0));
  for (let place = bundle.start; place < bundle.end; place++) {
    const own = memberAt(state, place);
    const map = codeMapAt(state, own.index);
    for (let pattern: usize = 0; pattern < BLOCK; pattern++) {
      const code = <u32>load<u8>(map + <usize>load<u8>(<usize>load<u32>(rows + (pattern << 2)) + own.index));
      store<u8>(to + pattern, <u8>(<u32>load<u8>(to + pattern) + code * own.unit));
    }
  }
}
