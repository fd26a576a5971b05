import type { Variable } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';

/** A decision that next to no row reaches takes as long as one of so many: its candidates have to be searched. */
const SEARCH_ROWS = 1_000;
/** A round that searches next to no predictors takes as long as one of so many. */
const SEARCH_PREDICTORS = 300;

/**
 * How long a decision takes, relative to others of its table: measured on shoppers and hi, where decisions of 60 to
 * 11,000 rows took 10 to 370 ms (measured.md).
 *
 * @param rows of training and validation that reach it
 */
export function decisionWork(rows: number, predictors: number): number {
  return (rows + SEARCH_ROWS) * (predictors + SEARCH_PREDICTORS);
}

/** The same of all decisions of a variable: each row reaches as many as its code takes bits, or nearly so. */
export function variableWork(variable: Variable, rows: number, predictors: number): number {
  const codes = codeCount(variable);
  return (rows * Math.log2(1 + codes) + SEARCH_ROWS * codes) * (predictors + SEARCH_PREDICTORS);
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
