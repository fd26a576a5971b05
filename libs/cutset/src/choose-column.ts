import type { BitMatrix } from '@orchard/dataset';
import { log } from '@orchard/numerics';
import { PairCounter, PairCounts, SmoothedPairs, spanningTree } from '@orchard/pairs';

/**
 * The column after whose answer the others are least uncertain on average (Rahman, Kothalkar, Gogate 2014): that of most
 * H(i) + Σ_j I(i; j), since Σ_{j ≠ i} H(j | i) = Σ_j H(j) - H(i) - Σ_{j ≠ i} I(i; j). Ties go to the lower column.
 */
export function entropyChoice(pairs: SmoothedPairs, columns: Uint32Array): number {
  let best = columns[0]!;
  let most = -Infinity;
  for (const column of columns) {
    const rate = pairs.rate(column);
    let told = -rate * log(rate) - (1 - rate) * log(1 - rate);
    for (const other of columns) if (other !== column) told += pairs.information(column, other);
    if (told <= most) continue;
    most = told;
    best = column;
  }
  return best;
}

/**
 * The column by which the training rows become likeliest, if both sides are trees of Chow and Liu (Di Mauro, Vergari, Esposito 2015); none
 * where that gains less over one tree than (log N) / 2, by which the Bayesian information criterion pays for a condition.
 */
export class LikelihoodChoice {
  readonly #counter = new PairCounter();
  readonly #own: SmoothedPairs;
  readonly #penalty: number;

  constructor(
    private readonly matrix: BitMatrix,
    private readonly pairs: SmoothedPairs,
    rows: number,
  ) {
    this.#own = new SmoothedPairs(pairs.counts, pairs.pseudoCount, rows);
    this.#penalty = log(rows) / 2;
  }

  /** @param columns of the node; @param dividing those of them that could be asked */
  choose(own: Uint32Array, columns: Uint32Array, dividing: Uint32Array): number | null {
    const whole = this.pairs.counts;
    const alone = this.#likelihood(this.pairs, columns);
    const { dimensions } = whole;
    let best: number | null = null;
    let most = alone + this.#penalty;
    for (const column of dividing) {
      const ones = own.filter((row) => this.matrix.get(row, column) === 1);
      const left = columns.filter((other) => other !== column);
      const one = this.#counter.count(this.matrix, ones);
      this.#own.counts = one;
      let total = this.#likelihood(this.#own, left);
      const rest = new Uint32Array(dimensions ** 2);
      for (let a = 0; a < dimensions; a++)
        for (let b = 0; b <= a; b++) rest[a * dimensions + b] = whole.together(a, b) - one.together(a, b);
      this.#own.counts = new PairCounts(dimensions, own.length - ones.length, rest);
      total += this.#likelihood(this.#own, left);
      total += ones.length * log(ones.length / own.length);
      total += (own.length - ones.length) * log(1 - ones.length / own.length);
      if (total <= most) continue;
      most = total;
      best = column;
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
