import type { DimensionCurves } from './curves.js';

/** `t_d = argmax_t` of the validation curve of dimension `d`, the fewest trees among equals. O(DT). */
export function individualRounds(curves: readonly DimensionCurves[]): Uint32Array {
  return Uint32Array.from(curves, ({ valid }) => {
    let best = 0;
    for (let round = 1; round < valid.length; round += 1) if (valid[round]! > valid[best]!) best = round;
    return best;
  });
}
