import type { Variable } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';

/** A decision that next to no row reaches takes as long as one of so many: its candidates have to be searched. */
const SEARCH_ROWS = 1_000;
/** A round that searches next to no predictors takes as long as one of so many. */
const SEARCH_PREDICTORS = 300;
/**
 * What a row that a tree does not grow on takes of what one takes that it grows on: it goes through the finished tree,
 * and its gradient is computed. Of 450,000 rows of 27 numbers .27.
 */
const UNSAMPLED_SHARE = 0.27;

/**
 * How long a decision takes, relative to others of its table: measured on shoppers and hi, where decisions of 60 to
 * 11,000 rows took 10 to 370 ms.
 *
 * @param rows of training and validation that reach it
 * @param rowsPerTree most that a tree grows on
 */
export function decisionWork(rows: number, predictors: number, rowsPerTree = Infinity): number {
  const grown = Math.min(rows, rowsPerTree);
  return (grown + UNSAMPLED_SHARE * (rows - grown) + SEARCH_ROWS) * (predictors + SEARCH_PREDICTORS);
}

/** The same of all decisions of a variable: each row reaches as many as its code takes bits, or nearly so. */
export function variableWork(variable: Variable, rows: number, predictors: number, rowsPerTree = Infinity): number {
  const codes = codeCount(variable);
  const depth = Math.log2(1 + codes);
  // further up each of 1, 2, 4, … decisions is reached by more rows than its trees grow on
  const sampledDepth = Math.min(depth, Math.max(0, Math.log2(rows / rowsPerTree)));
  const unsampled = sampledDepth === 0 ? 0 : rows * sampledDepth - rowsPerTree * (2 ** sampledDepth - 1);
  const grown = rows * depth - unsampled;
  return (grown + UNSAMPLED_SHARE * unsampled + SEARCH_ROWS * codes) * (predictors + SEARCH_PREDICTORS);
}

/**
 * How far a decision's rounds are: most end long before they reach the most that they may have, so none is known to be
 * near its end before it is there.
 *
 * @param usual rounds after which half of the work is thought to be done
 */
export function shareOfRounds(rounds: number, most: number, usual: number): number {
  return rounds >= most ? 1 : rounds / (rounds + Math.min(usual, most));
}
