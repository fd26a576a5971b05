import type { CountedRows } from '@orchard/dataset';
import { growMemory, type RandomStream } from '@orchard/numerics';
import { instantiate, Places } from './expectation-module.js';

/**
 * Rows that lie apart (k-means++, Arthur and Vassilvitskii 2007, by the columns in which rows differ): the first is
 * any, each other drawn in proportion to how far it is from the nearest before it. Twice as far or as often is twice as
 * probable.
 *
 * @returns places among the distinct rows, all different: `count` of them, or all
 */
export function spreadRows({ distinct, counts }: CountedRows, count: number, stream: RandomStream): Uint32Array {
  const { rows, bytes, stride } = distinct;
  const module = instantiate();
  const place = new Places();
  const rowsAt = place.of(bytes.byteLength);
  const nearestAt = place.of(8 * rows);
  growMemory(module.memory, place.end);
  const { buffer } = module.memory;
  new Uint8Array(buffer).set(bytes, rowsAt);
  const nearest = new Float64Array(buffer, nearestAt, rows).fill(1);
  const chosen = new Uint32Array(Math.min(count, rows));
  for (let k = 0; k < chosen.length; k++) {
    let total = 0;
    for (let row = 0; row < rows; row++) total += counts[row]! * nearest[row]!;
    let rest = stream.uniform() * total;
    let row = 0;
    for (let last = 0; last < rows; last++) {
      const weight = counts[last]! * nearest[last]!;
      if (weight === 0) continue;
      // rounding may leave something over after the last
      row = last;
      if (rest < weight) break;
      rest -= weight;
    }
    chosen[k] = row;
    // before the first there was none to be near
    if (k === 0) nearest.fill(Infinity);
    module.addNear(rowsAt, stride, rows, row, nearestAt);
  }
  return chosen;
}
