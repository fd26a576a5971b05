import type { RowShares } from '@orchard/logistic';
import { exp, logSumExp } from '@orchard/numerics';

/**
 * A component that has less of a row has none of it: a row is then a few rows of regressions, not one for each
 * component.
 */
const LEAST_SHARE = 1e-3;

/**
 * Shares of the rows by how probable each component is given them, and log P of each row.
 *
 * @param jointOf log (w_h P_h(row)) of each row, of component h
 */
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
    const total = logSumExp(own);
    logs[row] = total;
    let kept = 0;
    for (let h = 0; h < components; h++) {
      const share = exp(own[h]! - total);
      own[h] = share;
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
