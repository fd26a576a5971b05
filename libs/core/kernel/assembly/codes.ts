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
  let codes = i64x2.splat(0);
  for (let place = bundle.start; place < bundle.end; place++) {
    const own = memberAt(state, place);
    const members = ownCodes(codeMapAt(state, own.index), rows, own.index);
    codes = i8x16.add(codes, own.unit == 1 ? members : multiply(members, own.unit));
  }
  v128.store(to, codes);
}

/** What the codes of sixteen rows in a field have become. */
@inline
function ownCodes(map: usize, rows: usize, field: u32): v128 {
  // a lane is named in the code, so this is no loop; one took two fifths of a tree on a sample
  let codes = v128.load8_splat(map + <usize>load<u8>(<usize>load<u32>(rows) + field));
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 4) + field), codes, 1);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 8) + field), codes, 2);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 12) + field), codes, 3);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 16) + field), codes, 4);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 20) + field), codes, 5);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 24) + field), codes, 6);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 28) + field), codes, 7);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 32) + field), codes, 8);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 36) + field), codes, 9);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 40) + field), codes, 10);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 44) + field), codes, 11);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 48) + field), codes, 12);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 52) + field), codes, 13);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 56) + field), codes, 14);
  codes = v128.load8_lane(map + <usize>load<u8>(<usize>load<u32>(rows, 60) + field), codes, 15);
  return codes;
}

/** Bytes times a number; products are bytes too. */
@inline
function multiply(bytes: v128, by: u32): v128 {
  const even = i16x8.mul(v128.and(bytes, i16x8.splat(0xff)), i16x8.splat(<i16>by));
  const odd = i16x8.mul(i16x8.shr_u(bytes, 8), i16x8.splat(<i16>by));
  return v128.or(even, i16x8.shl(odd, 8));
}
