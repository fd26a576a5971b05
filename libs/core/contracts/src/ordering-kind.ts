/**
 * How columns can be ordered without naming them.
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
