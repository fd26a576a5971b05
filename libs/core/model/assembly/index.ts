import {
  BLOCK, GROUP, LEAF_COUNTS, LEAF_FACTORS, ONES, SPLIT_LEAVES, SPLIT_PREDICTORS,
} from './layout';
import { compile, compileConstant } from './program';
import { gatherCodes, multiply, multiplyAndClamp, reachOf, runSteps } from './run';

export { HEAP, LEAF_COUNTS, LEAF_FACTORS, LEAF_ROOM, MOST_LEAVES, SPLIT_LEAVES, SPLIT_PREDICTORS } from './layout';
export { transpose } from './transpose';

/** 2^899: below it, rounding included, odds stay within 2^900. */
const UNCLAMPED: f64 = 4.226356249085322e270;

/**
 * Multiplies the odds of `rows` rows, a multiple of 512, by the factors of the trees that were handed over. Predictor p
 * is the column at `columns + p * stride` (bytes). The odds of row r are at index
 * `(r & ~127) | (r & 7) << 4 | (r >> 3) & 15`. The odds or their inverses are at most `reach`; gives what they are at
 * most afterwards, for the trees that follow.
 */
export function applyTrees(trees: i32, columns: i32, stride: i32, rows: i32, odds: i32, reach: f64): f64 {
  memory.fill(ONES, 255, BLOCK);
  let splits = 0, leaves = 0;
  let steps0 = 0, steps1 = 0, steps2 = 0, steps3 = 0;
  for (let tree = 0; tree < trees; tree += GROUP) {
    for (let member = 0; member < GROUP; member++) {
      let steps = 0;
      // what is missing of the last group has the factor 1
      const count = tree + member < trees ? load<i32>(LEAF_COUNTS + ((tree + member) << 2)) : 0;
      const factors = LEAF_FACTORS + (leaves << 3);
      if (count > 1) {
        steps = compile(
          member, count, SPLIT_LEAVES + (splits << 2), SPLIT_PREDICTORS + (splits << 2), factors, columns, stride,
        );
        splits += count - 1;
      } else compileConstant(member, count == 1 ? load<f64>(factors) : 1);
      leaves += count;
      reach *= reachOf(factors, count);
      if (member == 0) steps0 = steps;
      else if (member == 1) steps1 = steps;
      else if (member == 2) steps2 = steps;
      else steps3 = steps;
    }
    for (let start = 0, end = rows >> 3; start < end; start += BLOCK) {
      const bytes = min(BLOCK, end - start);
      runSteps(0, steps0, start, bytes);
      gatherCodes(0, start, bytes);
      runSteps(1, steps1, start, bytes);
      gatherCodes(1, start, bytes);
      runSteps(2, steps2, start, bytes);
      gatherCodes(2, start, bytes);
      runSteps(3, steps3, start, bytes);
      gatherCodes(3, start, bytes);
      if (reach > UNCLAMPED) multiplyAndClamp(odds + (start << 6), bytes << 3);
      else multiply(odds + (start << 6), bytes << 3);
    }
  }
  return reach;
}
