/**
 * How columns can be ordered without naming them.
 *
 * In tables with sums (`ColumnSum`) each total comes before its parts, whatever the kind.
 *
 * | kind             | the columns                                                                                               |
 * |------------------|-----------------------------------------------------------------------------------------------------------|
 * | `natural`        | as stored                                                                                                 |
 * | `reversed`       | as stored, from the last                                                                                  |
 * | `random`         | drawn from the seed; another permutation for each member                                                  |
 * | `hubs`           | by the mutual information with all others, falling                                                        |
 * | `greedy`         | next the one that those before it predict best, for its entropy                                           |
 * | `chow-liu`       | along the tree of most mutual information, from the column that explains most, each branch to its end     |
 * | `entropy`        | next the one with the most variance left given those before it                                            |
 * | `entropy-rising` | next the one with the least                                                                               |
 */
export const orderingKinds = [
  'natural',
  'reversed',
  'hubs',
  'greedy',
  'chow-liu',
  'entropy',
  'entropy-rising',
  'random',
] as const;

export type OrderingKind = (typeof orderingKinds)[number];

/** Those that are found in the rows by what pairs of columns tell of each other, whatever their values. */
export const pairOrderingKinds = ['hubs', 'greedy', 'chow-liu'] as const;

export type PairOrderingKind = (typeof pairOrderingKinds)[number];

/** Those that look at the rows. */
export const informedKinds = [...pairOrderingKinds, 'entropy', 'entropy-rising'] as const;

export type InformedKind = (typeof informedKinds)[number];

/** The kinds of orderings that a table's columns can have. */
export const tableOrderingKinds = ['natural', 'reversed', ...pairOrderingKinds, 'random'] as const;

export function isInformed(kind: string): kind is InformedKind {
  return informedKinds.some((informed) => informed === kind);
}
