import type { BitMatrix } from '@orchard/dataset';
import { log, placeOfGreatest, sumOf } from '@orchard/numerics';
import { PairCounter, SmoothedPairs, spanningTree } from '@orchard/forests';

/**
 * The column after whose answer the others are least uncertain on average (Rahman, Kothalkar, Gogate 2014): that of
 * most H(i) + Σ_j I(i; j), since Σ_{j ≠ i} H(j | i) = Σ_j H(j) - H(i) - Σ_{j ≠ i} I(i; j). Ties go to the lower column.
 */
export function entropyChoice(pairs: SmoothedPairs, columns: Uint32Array): number {
  const told = Float64Array.from(columns, (column) => {
    const rate = pairs.rate(column);
    return -rate * log(rate) - (1 - rate) * log(1 - rate);
  });
  // each pair once, to each sum by ascending columns
  for (let at = 0; at < columns.length; at++)
    for (let other = 0; other < at; other++) {
      const shared = pairs.information(columns[at]!, columns[other]!);
      told[at]! += shared;
      told[other]! += shared;
    }
  return columns[placeOfGreatest(told)]!;
}

/**
 * The column by which the training rows become likeliest, if both sides are trees of Chow and Liu (Di Mauro, Vergari,
 * Esposito 2015); none where that gains less over one tree than (log N) / 2, by which the Bayesian information
 * criterion pays for a condition.
 */
export class LikelihoodChoice {
  readonly #counter = new PairCounter();
  readonly #own: SmoothedPairs;
  readonly #penalty: number;

  /**
   * @param times how often each row of the matrix counts;
   * @param pairs are given the counts of each node before it is asked about
   */
  constructor(
    private readonly matrix: BitMatrix,
    private readonly times: Uint32Array,
    private readonly pairs: SmoothedPairs,
  ) {
    this.#own = new SmoothedPairs(pairs.counts, pairs.pseudoCount);
    this.#penalty = log(sumOf(times)) / 2;
  }

  /**
   * The place of the column.
   *
   * @param columns of the node; @param dividing the places among them of those that could be asked
   */
  choose(own: Uint32Array, columns: Uint32Array, dividing: Uint32Array): number | null {
    const { matrix, times } = this;
    const whole = this.pairs.counts;
    const places = Uint32Array.from(columns.keys());
    let best: number | null = null;
    let most = this.#likelihood(this.pairs, places) + this.#penalty;
    for (const place of dividing) {
      const column = columns[place]!;
      const left = places.filter((other) => other !== place);
      const ones = own.filter((row) => matrix.get(row, column) === 1);
      const one = this.#counter.countRepeated(matrix, ones, times, columns);
      const zero = whole.without(one);
      this.#own.counts = one;
      let total = this.#likelihood(this.#own, left);
      this.#own.counts = zero;
      total += this.#likelihood(this.#own, left);
      total += one.rows * log(one.rows / whole.rows);
      total += zero.rows * log(1 - one.rows / whole.rows);
      if (total <= most) continue;
      most = total;
      best = place;
    }
    return best;
  }

  /** log P of the counted rows under the tree of Chow and Liu that they make. */
  #likelihood(pairs: SmoothedPairs, columns: Uint32Array): number {
    const tree = spanningTree(columns.length, 0, (a, b) => pairs.information(columns[a]!, columns[b]!));
    const { counts } = pairs;
    const { rows } = counts;
    let sum = 0;
    tree.parents.forEach((parent, place) => {
      const column = columns[place]!;
      const ones = counts.together(column, column);
      if (place === 0) {
        const rate = pairs.rate(column);
        sum += ones * log(rate) + (rows - ones) * log(1 - rate);
        return;
      }
      const other = columns[parent]!;
      const others = counts.together(other, other);
      const both = counts.together(column, other);
      const [after0, after1] = [pairs.rateGiven(column, other, 0), pairs.rateGiven(column, other, 1)];
      sum += both * log(after1) + (others - both) * log(1 - after1);
      sum += (ones - both) * log(after0) + (rows - others - ones + both) * log(1 - after0);
    });
    return sum;
  }
}
