import type { BitMatrix } from '@orchard/dataset';
import { Forest, forestsOfRates, ProductLogs } from '@orchard/forests';
import {
  asBitMatrix,
  madeOfBody,
  NumberArray,
  RowModel,
  type BinaryMatrix,
  type BodyArrays,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { exp, greatestOf, log } from '@orchard/numerics';
import { ForestMixture } from './forest-mixture.js';

const forestMixtureFamily = 'forest-mixture';

/** Rows whose logarithms under all components are in memory together. */
const BLOCK = 1024;

/**
 * A mixture of forests of columns, mostly of products, as one model: thousands of components cost a weight and a rate a
 * column each, where a `mixture` of models holds a whole file of each.
 */
export class ForestMixtureModel extends RowModel {
  readonly family = forestMixtureFamily;
  protected readonly distribution: ForestMixture;
  readonly #isOfProducts: boolean;
  #products: ProductLogs | null = null;

  constructor(head: Omit<ModelHead, 'family'>, mixture: ForestMixture) {
    super(head);
    this.distribution = mixture;
    this.#isOfProducts = mixture.isOfProducts;
  }

  get mixture(): ForestMixture {
    return this.distribution;
  }

  /** Of products by tables of their bytes, which many rows share. */
  override logLikelihood(matrix: BinaryMatrix): Float64Array {
    if (!this.#isOfProducts) return super.logLikelihood(matrix);
    const rows = asBitMatrix(matrix, this.dimensions);
    const { components, weights } = this.mixture;
    this.#products ??= new ProductLogs(components.length, this.dimensions, this.#productRates());
    const result = new Float64Array(rows.rows);
    const logWeights = weights.map(log);
    const logs = new Float64Array(components.length * Math.min(BLOCK, rows.rows));
    for (let first = 0; first < rows.rows; first += BLOCK)
      sumBlock(this.#products, logWeights, rows, first, logs, result);
    return result;
  }

  summary(): ModelSummary {
    const { components, weights } = this.mixture;
    const count = String(components.length);
    const edges = components.reduce((sum, { parents }) => sum + parents.filter((parent) => parent >= 0).length, 0);
    const what = edges === 0 ? 'products of columns' : `trees of columns, ${String(edges)} edges in all`;
    const entropy = weights.reduce((sum, weight) => sum - weight * log(weight), 0);
    const [largest, smallest] = [greatestOf(weights), weights.reduce((least, one) => Math.min(least, one), Infinity)];
    return {
      dimensions: this.dimensions,
      facts: [
        ['model', components.length === 1 ? `one of ${what}` : `a mixture of ${count} ${what}`],
        [
          'weights',
          `${smallest.toPrecision(3)} to ${largest.toPrecision(3)}, as uncertain as ${exp(entropy).toFixed(1)} equal ones`,
        ],
        ['answers', 'exactly: likelihoods, marginals, conditionals, completions; not the most probable completion'],
      ],
    };
  }

  protected body(): BodyArrays {
    const { components, weights } = this.mixture;
    const isOfProducts = this.#isOfProducts;
    return {
      weights: NumberArray.ofFloats([weights]),
      rates: NumberArray.ofFloats(isOfProducts ? [this.#productRates()] : components.map(({ rates }) => rates)),
      parents: NumberArray.ofIntegers(
        isOfProducts ? [] : components.map(({ parents }) => Uint32Array.from(parents, (parent) => parent + 1)),
      ),
    };
  }

  /** One a column and component: a root's two are the same. */
  #productRates(): Float64Array {
    const { dimensions } = this;
    const rates = new Float64Array(this.mixture.components.length * dimensions);
    this.mixture.components.forEach((component, k) => {
      for (let dim = 0; dim < dimensions; dim++) rates[k * dimensions + dim] = component.rates[2 * dim]!;
    });
    return rates;
  }
}

/** log Σ w_k P_k(row) of a block of rows. */
function sumBlock(
  products: ProductLogs,
  logWeights: Float64Array,
  rows: BitMatrix,
  first: number,
  logs: Float64Array,
  result: Float64Array,
): void {
  const count = Math.min(BLOCK, rows.rows - first);
  const highest = new Float64Array(count).fill(-Infinity);
  for (let k = 0, at = 0; k < logWeights.length; k++) {
    products.logsInto(k, rows, first, count, logWeights[k]!, logs, at);
    for (let row = 0; row < count; row++, at++) if (logs[at]! > highest[row]!) highest[row] = logs[at]!;
  }
  const sums = new Float64Array(count);
  for (let k = 0, at = 0; k < logWeights.length; k++)
    for (let row = 0; row < count; row++, at++) sums[row]! += exp(logs[at]! - highest[row]!);
  for (let row = 0; row < count; row++) result[first + row] = highest[row]! + log(sums[row]!);
}

/** @param rates P(1) of column d under product k: `rates[k * dimensions + d]` @throws RangeError */
export function mixtureOfProducts(weights: Float64Array, dimensions: number, rates: Float64Array): ForestMixture {
  return new ForestMixture(weights, forestsOfRates(dimensions, rates));
}

export const forestMixtureCodec: ModelCodec = {
  family: forestMixtureFamily,
  read: (head, body) => {
    const { dimensions } = head;
    body.requireOnly(['weights', 'rates', 'parents']);
    const isOfProducts = body.bytes('parents').length === 0;
    return madeOfBody(
      'positive weights that sum to 1, and of each a forest of all columns with rates between 0 and 1',
      () => {
        const count = body.bytes('weights').length / 8;
        const weights = body.floats('weights', count);
        const rates = body.floats('rates', count * dimensions * (isOfProducts ? 1 : 2));
        if (isOfProducts) return new ForestMixtureModel(head, mixtureOfProducts(weights, dimensions, rates));
        const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
        const parents = body.integers('parents', count * dimensions);
        const components = Array.from(weights, (_, k) => {
          const own = Int32Array.from(parents.subarray(k * dimensions, (k + 1) * dimensions), (parent) => parent - 1);
          return new Forest(columns, own, rates.slice(2 * k * dimensions, 2 * (k + 1) * dimensions));
        });
        return new ForestMixtureModel(head, new ForestMixture(weights, components));
      },
    );
  },
};
