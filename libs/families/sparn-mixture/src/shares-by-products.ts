import { attachRows, shareRows, type BitMatrix } from '@orchard/dataset';
import { learnProducts } from '@orchard/em';
import type { RowShares } from '@orchard/logistic';
import { log, type RandomStream } from '@orchard/numerics';
import { sharesBy } from './row-shares.js';

/** Of the products that EM begins with: rows of the overall mean beside a component's own, and steps. */
const PSEUDO_COUNT = 1;
const PRODUCT_STEPS = 100;

/** By a mixture of products, learned by EM: what the thesis begins with. @returns null where it was cancelled */
export function sharesByProducts(
  train: BitMatrix,
  valid: BitMatrix,
  components: number,
  stream: RandomStream,
  isCancelled: () => boolean,
): { readonly shares: RowShares; readonly validShares: () => RowShares; readonly valid: number } | null {
  const learned = learnProducts(
    attachRows(shareRows(train)),
    attachRows(shareRows(valid)),
    { components, pulled: { pseudoCount: PSEUDO_COUNT }, steps: PRODUCT_STEPS },
    stream,
    isCancelled,
  );
  if (learned === null) return null;
  const { weights, rates, dimensions } = learned.products;
  const ofRows = (matrix: BitMatrix): RowShares => {
    const { shares } = sharesBy(weights.length, matrix.rows, (h) => {
      const own = rates.subarray(h * dimensions, (h + 1) * dimensions);
      const odds = own.map((rate) => log(rate) - log(1 - rate));
      const none = own.reduce((sum, rate) => sum + log(1 - rate), log(weights[h]!));
      return Float64Array.from({ length: matrix.rows }, (_, row) => {
        let sum = none;
        for (let column = 0; column < dimensions; column++) if (matrix.get(row, column) === 1) sum += odds[column]!;
        return sum;
      });
    });
    // where fewer rows differ than there are components, the others have none
    return { ...shares, components };
  };
  return { shares: ofRows(train), validShares: () => ofRows(valid), valid: learned.validNats / valid.rows };
}
