import { ROW_ADDRESSES } from './layout';

/** Sixteen rows' bytes at `byte`: one lane a row. */
// @ts-ignore: decorator
@inline function gather(byte: i32): v128 {
  let lanes = v128.load8_splat(load<i32>(ROW_ADDRESSES) + byte);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 4) + byte, lanes, 1);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 8) + byte, lanes, 2);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 12) + byte, lanes, 3);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 16) + byte, lanes, 4);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 20) + byte, lanes, 5);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 24) + byte, lanes, 6);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 28) + byte, lanes, 7);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 32) + byte, lanes, 8);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 36) + byte, lanes, 9);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 40) + byte, lanes, 10);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 44) + byte, lanes, 11);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 48) + byte, lanes, 12);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 52) + byte, lanes, 13);
  lanes = v128.load8_lane(load<i32>(ROW_ADDRESSES, 56) + byte, lanes, 14);
  return v128.load8_lane(load<i32>(ROW_ADDRESSES, 60) + byte, lanes, 15);
}

/**
 * Turns rows of bits (first dimension in the highest bit of the first byte) into columns (row 0 in the lowest bit). Row
 * i of the result is row `order[i]`, for i < `count`, a multiple of 16; dimension d goes to address `targets[d]`,
 * nowhere if 0.
 */
export function transpose(
  rows: i32, rowStride: i32, order: i32, count: i32, targets: i32, dimensions: i32,
): void {
  for (let row = 0; row < count; row += 16) {
    for (let lane = 0; lane < 16; lane++) {
      store<i32>(ROW_ADDRESSES + (lane << 2), rows + load<i32>(order + ((row + lane) << 2)) * rowStride);
    }
    for (let dim = 0; dim < dimensions; dim += 8) {
      let lanes = gather(dim >> 3);
      for (let bit = dim, end = min(dim + 8, dimensions); bit < end; bit++) {
        const target = load<i32>(targets + (bit << 2));
        if (target != 0) store<u16>(target + (row >> 3), <u16>i8x16.bitmask(lanes));
        lanes = i8x16.add(lanes, lanes);
      }
    }
  }
}
