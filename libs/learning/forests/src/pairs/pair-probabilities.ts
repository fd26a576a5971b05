/**
 * What trees of columns are made of: how probable the values of pairs of columns are, with margins that are the same in
 * every pair.
 */
export interface PairProbabilities {
  /** P(a = 1, b = 1); of a column with itself P(a = 1). */
  both(a: number, b: number): number;
  /** P(column = 1). */
  rate(column: number): number;
  /** P(column = 1 | other = value). */
  rateGiven(column: number, other: number, value: 0 | 1): number;
  /** I(a; b) in nats. */
  information(a: number, b: number): number;
}
