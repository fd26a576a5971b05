import type { CountedRows } from '@orchard/dataset';
import type { RandomStream } from '@orchard/numerics';
import { bisectRows } from './bisect-rows.js';
import { Expectation, type SharedOut } from './expectation.js';
import { runEm, weightsOf, type Learned } from './expectation-maximization.js';
import { Preparation, type PreparedProducts, type Products } from './prepared-products.js';
import { shrinkTemplates, type Penalty } from './shrink-templates.js';
import { spreadRows } from './spread-rows.js';

export interface EmOptions {
  /** K; fewer where there are fewer rows that differ. */
  readonly components: number;
  /**
   * To the overall mean, as by so many rows of it beside each component's own; or to one another, along a tree of
   * clusters.
   */
  readonly pulled: { readonly pseudoCount: number } | Penalty;
  /** At most. */
  readonly steps: number;
}

export interface LearnedProducts extends Omit<Learned<Products>, 'mixture'> {
  readonly products: Products;
}

/** How much of its first row a component has before the first step; the rest is the overall mean. */
const OWN = 0.25;
/** Of a rate to 0 and 1: a component of many rows and few pseudo-rows would reach them by rounding. */
const MARGIN = 2 ** -50;

/** Where EM begins, and the rates that follow from how rows are shared out. */
interface Way {
  readonly first: SharedOut;
  readonly ratesOf: (shares: SharedOut) => Float64Array;
}

/**
 * A mixture of products by EM. A step gives each component rates by its shares in the rows, and a weight in proportion
 * to these and one row more; then rows are shared out anew.
 *
 * @returns null where it was cancelled
 */
export function learnProducts(
  train: CountedRows,
  valid: CountedRows,
  { components, pulled, steps }: EmOptions,
  stream: RandomStream,
  isCancelled: () => boolean = () => false,
): LearnedProducts | null {
  const mean = meanRowOf(train);
  const { dimensions } = train.distinct;
  const [overTrain, overValid] = [new Expectation(train), new Expectation(valid)];
  const preparation = new Preparation();
  const { first, ratesOf } =
    'norm' in pulled
      ? alongTree(train, components, mean, pulled, stream)
      : toTheMean(overTrain, preparation, components, mean, pulled.pseudoCount, stream);
  const learned = runEm<PreparedProducts, SharedOut>(
    {
      first,
      mixtureOf: (shares) => {
        const rates = ratesOf(shares);
        for (let at = 0; at < rates.length; at++) rates[at] = Math.min(Math.max(rates[at]!, MARGIN), 1 - MARGIN);
        return preparation.of({ dimensions, weights: weightsOf(shares.rows), rates });
      },
      shared: (products) => overTrain.shared(products),
      validNats: (products) => overValid.natsUnder(products),
    },
    { rows: train.rows, steps },
    isCancelled,
  );
  if (learned === null) return null;
  const { mixture, validNats, step } = learned;
  return { products: { dimensions, weights: mixture.weights, rates: mixture.rates }, validNats, step };
}

/**
 * Begins near rows that lie apart. Rates are (Σ shares x + a m) / (Σ shares + a), m the overall mean, a the
 * pseudo-count: the mean of a Beta distribution, which is what the rates are believed to be distributed by before
 * (thesis, eq. 2.3, of m instead of 1/2).
 */
function toTheMean(
  overTrain: Expectation,
  preparation: Preparation,
  components: number,
  mean: Float64Array,
  pseudoCount: number,
  stream: RandomStream,
): Way {
  const { distinct } = overTrain.counted;
  const { dimensions } = distinct;
  const rows = spreadRows(overTrain.counted, components, stream);
  const rates = new Float64Array(rows.length * dimensions);
  rows.forEach((row, k) => {
    for (let dim = 0; dim < dimensions; dim++)
      rates[k * dimensions + dim] = OWN * distinct.get(row, dim) + (1 - OWN) * mean[dim]!;
  });
  const products = { dimensions, weights: new Float64Array(rows.length).fill(1 / rows.length), rates };
  return {
    first: overTrain.shared(preparation.of(products)).shares,
    ratesOf: ({ rows: own, ones }) => {
      const learned = new Float64Array(ones.length);
      for (let k = 0, at = 0; k < own.length; k++)
        for (let dim = 0; dim < dimensions; dim++, at++)
          learned[at] = (ones[at]! + pseudoCount * mean[dim]!) / (own[k]! + pseudoCount);
      return learned;
    },
  };
}

/**
 * Begins with the clusters of a tree, each row wholly its cluster's: the first step is the thesis' mixture (ch. 2),
 * what comes after is not in it.
 */
function alongTree(
  train: CountedRows,
  components: number,
  mean: Float64Array,
  penalty: Penalty,
  stream: RandomStream,
): Way {
  const tree = bisectRows(train, components, stream);
  const { distinct, counts, starts, columns } = train;
  const { dimensions } = distinct;
  const first = { rows: new Float64Array(tree.clusters), ones: new Float64Array(tree.clusters * dimensions) };
  tree.clusterOf.forEach((cluster, row) => {
    first.rows[cluster]! += counts[row]!;
    for (let at = starts[row]!; at < starts[row + 1]!; at++)
      first.ones[cluster * dimensions + columns[at]!]! += counts[row]!;
  });
  return { first, ratesOf: (shares) => shrinkTemplates(shares, tree, mean, penalty) };
}

/** (ones + 1) / (N + 2) of each column. */
function meanRowOf({ distinct, counts, rows, starts, columns }: CountedRows): Float64Array {
  const ones = new Float64Array(distinct.dimensions);
  for (let row = 0; row < distinct.rows; row++)
    for (let at = starts[row]!; at < starts[row + 1]!; at++) ones[columns[at]!]! += counts[row]!;
  return ones.map((own) => (own + 1) / (rows + 2));
}
