import { attachRows, shareRows, type BitMatrix } from '@orchard/dataset';
import { learnProducts } from '@orchard/expectation-maximization';
import type { RowShares } from '@orchard/logistic';
import { logSumExp } from '@orchard/mixture';
import { exp, log, type RandomStream } from '@orchard/numerics';

/** A component that has less of a row has none of it: a row is then a few rows of regressions, not one for each component. */
const LEAST_SHARE = 1e-3;
/** Of the products that EM begins with: rows of the overall mean beside a component's own, and steps. */
const PSEUDO_COUNT = 1;
const PRODUCT_STEPS = 100;

/** Shares of the rows by how probable each component is given them, and log P of each row. @param jointOf log (w_h P_h(row)) of each row, of component h */
export function sharesBy(
  components: number,
  rows: number,
  jointOf: (component: number) => Float64Array,
): { readonly shares: RowShares; readonly logs: Float64Array } {
  const joint = Array.from({ length: components }, (_, h) => jointOf(h));
  const logs = new Float64Array(rows);
  const starts = new Uint32Array(rows + 1);
  const componentOf: number[] = [];
  const shares: number[] = [];
  const own = new Float64Array(components);
  for (let row = 0; row < rows; row++) {
    for (let h = 0; h < components; h++) own[h] = joint[h]![row]!;
    const total = (logs[row] = logSumExp(own));
    let kept = 0;
    for (let h = 0; h < components; h++) {
      const share = (own[h] = exp(own[h]! - total));
      // of equal ones none is below: 1 / K is more than this
      if (share >= LEAST_SHARE) kept += share;
    }
    for (let h = 0; h < components; h++)
      if (own[h]! >= LEAST_SHARE) {
        componentOf.push(h);
        shares.push(own[h]! / kept);
      }
    starts[row + 1] = shares.length;
  }
  return {
    shares: {
      components,
      starts,
      componentOf: Uint32Array.from(componentOf),
      shares: Float64Array.from(shares),
    },
    logs,
  };
}

/** (Σ shares + 1) / (N + K) of each component. */
export function weightsOf({ components, componentOf, shares, starts }: RowShares): Float64Array {
  const weights = new Float64Array(components).fill(1);
  for (let at = 0; at < shares.length; at++) weights[componentOf[at]!]! += shares[at]!;
  const all = starts.length - 1 + components;
  return weights.map((weight) => weight / all);
}

/** By a mixture of products, learned by EM: what the thesis begins with. @returns null where it was cancelled */
export function sharesByProducts(
  train: BitMatrix,
  valid: BitMatrix,
  components: number,
  stream: RandomStream,
  isCancelled: () => boolean,
): { readonly shares: RowShares; readonly valid: number } | null {
  const learned = learnProducts(
    attachRows(shareRows(train)),
    attachRows(shareRows(valid)),
    { components, pulled: { pseudoCount: PSEUDO_COUNT }, steps: PRODUCT_STEPS },
    stream,
    isCancelled,
  );
  if (learned === null) return null;
  const { weights, rates, dimensions } = learned.products;
  const { shares } = sharesBy(weights.length, train.rows, (h) => {
    const own = rates.subarray(h * dimensions, (h + 1) * dimensions);
    const odds = own.map((rate) => log(rate) - log(1 - rate));
    const none = own.reduce((sum, rate) => sum + log(1 - rate), log(weights[h]!));
    return Float64Array.from({ length: train.rows }, (_, row) => {
      let sum = none;
      for (let column = 0; column < dimensions; column++) if (train.get(row, column) === 1) sum += odds[column]!;
      return sum;
    });
  });
  // where fewer rows differ than there are components, the others have none
  return { shares: { ...shares, components }, valid: learned.validNats / valid.rows };
}
