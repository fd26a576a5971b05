import type { CountedRows } from '@orchard/dataset';
import { forestsOfRates, ForestsOfRows } from '@orchard/forests';
import type { RandomStream } from '@orchard/numerics';
import { runEm, weightsOf, type Learned } from './expectation-maximization.js';
import { ForestExpectation, type RowShares, type WeightedForests } from './forest-expectation.js';
import { learnProducts } from './learn-products.js';

export interface TreeOptions {
  /** K; fewer where there are fewer rows that differ. */
  readonly components: number;
  /**
   * Rows of all training rows together, their pairs smoothed by 1, that each component is given beside its own; above
   * 0.
   */
  readonly pseudoCount: number;
  /** Of EM, at most. */
  readonly steps: number;
  /** Whether it begins with a mixture of products, else with random shares. */
  readonly isFromProducts: boolean;
}

/** Of the products that trees begin with. */
const BEGINNING = { pulled: { pseudoCount: 1 }, steps: 20 } as const;

/**
 * A mixture of trees of columns by EM (Meilă and Jordan, 2000). A step gives each component the tree of Chow and Liu of
 * the rows by its shares in them, and a weight in proportion to these and one row more; then rows are shared out anew.
 *
 * @returns null where it was cancelled
 */
export function learnTrees(
  train: CountedRows,
  valid: CountedRows,
  { components, pseudoCount, steps, isFromProducts }: TreeOptions,
  stream: RandomStream,
  isCancelled: () => boolean = () => false,
): Learned<WeightedForests> | null {
  const [overTrain, overValid] = [new ForestExpectation(train), new ForestExpectation(valid)];
  const forests = new ForestsOfRows(train);
  const first = isFromProducts ? sharesOfProducts() : randomShares(train, components, stream);
  if (first === null) return null;
  return runEm<WeightedForests, RowShares>(
    {
      first,
      mixtureOf: ({ of, rows }) => ({
        weights: weightsOf(rows),
        forests: of.map((shares) => forests.weighted(shares, pseudoCount).forest),
      }),
      shared: (mixture) => overTrain.shared(mixture),
      validNats: (mixture) => overValid.natsUnder(mixture),
    },
    { rows: train.rows, steps },
    isCancelled,
  );
  function sharesOfProducts(): RowShares | null {
    const learned = learnProducts(train, valid, { components, ...BEGINNING }, stream, isCancelled);
    if (learned === null) return null;
    const { dimensions, weights, rates } = learned.products;
    return overTrain.shared({ weights, forests: forestsOfRates(dimensions, rates) }).shares;
  }
}

/** Each row shared out by as many random numbers as there are components. */
function randomShares({ distinct, counts }: CountedRows, components: number, stream: RandomStream): RowShares {
  const count = Math.min(components, distinct.rows);
  const of = Array.from({ length: count }, () => new Float64Array(distinct.rows));
  const rows = new Float64Array(count);
  counts.forEach((times, row) => {
    const drawn = Float64Array.from({ length: count }, () => stream.uniform());
    const all = drawn.reduce((sum, own) => sum + own, 0);
    drawn.forEach((own, k) => {
      const share = all > 0 ? (times * own) / all : times / count;
      of[k]![row] = share;
      rows[k]! += share;
    });
  });
  return { of, rows };
}
