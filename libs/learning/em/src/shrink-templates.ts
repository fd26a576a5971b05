import { exp, log } from '@orchard/numerics';
import type { ClusterTree } from './bisect-rows.js';
import type { SharedOut } from './expectation.js';

/** How templates are pulled together. */
export interface Penalty {
  readonly norm: 'l1' | 'l2';
  /** λ: of each contribution's square, or of its absolute value. */
  readonly strength: number;
}

/** Steps of the minimum's search at most, and the change of a log-odds below which it has been found. */
const STEPS = 60;
const SETTLED = 1e-3;
/**
 * A contribution of less counts as this in what the L1 penalty weighs it by: its square would be punished without
 * bound.
 */
const LEAST = 1e-4;

/**
 * Templates whose log-odds are sums of contributions along the path to them in a tree of clusters (thesis ch. 2: eq.
 * 2.1, and 2.4 for bits): siblings have opposite ones, the root that of the overall mean. Of each column those are
 * found that minimize
 *
 *   Σ_k n_k log(1 + exp η_k) - s_k η_k + λ Σ_v |m_v|^q,   η_k = root ± m_v …
 *
 * n_k rows and s_k ones of component k. The logarithm is bounded by the square that touches it (Jaakkola and Jordan
 * 2000), and |m| by the square that does; the minimum of these squares takes one pass up the tree and one down, O(K),
 * and lowers the sum itself. So it goes until nothing moves.
 *
 * @param mean of each column, between 0 and 1: the root's, which it is pulled to as strongly
 * @returns P(1) of each column under each component: `[k * dimensions + d]`
 */
export function shrinkTemplates(
  { rows, ones }: SharedOut,
  { children }: Pick<ClusterTree, 'children'>,
  mean: Float64Array,
  { norm, strength }: Penalty,
): Float64Array {
  const components = rows.length;
  const dimensions = mean.length;
  const inner = components - 1;
  const rates = new Float64Array(ones.length);
  // nodes are the inner ones, then the leaves: the root is number 0, also where it is a leaf
  const nodeOfChild = children.map((child) => (child < 0 ? inner + ~child : child));
  const odds = new Float64Array(inner + components);
  // what is below a node says ½ curve η² - slope η of its log-odds η
  const curves = new Float64Array(inner + components);
  const slopes = new Float64Array(inner + components);
  const contributions = new Float64Array(inner);
  const stiffnesses = new Float64Array(inner);

  for (let dim = 0; dim < dimensions; dim++) {
    const centre = log(mean[dim]!) - log(1 - mean[dim]!);
    odds.fill(centre);
    contributions.fill(1);
    for (let k = 0; k < components; k++) slopes[inner + k] = ones[k * dimensions + dim]! - rows[k]! / 2;
    for (let step = 0; step < STEPS; step++) {
      // n tanh(η / 2) / (2 η): the curvature of the square that touches at η and -η
      for (let k = 0; k < components; k++) {
        const size = Math.abs(odds[inner + k]!);
        const small = exp(-size);
        curves[inner + k] = (rows[k]! * (size < 1e-6 ? 0.5 : (1 - small) / (1 + small) / size)) / 2;
      }

      // up: each node's own contribution is the best there is for its log-odds
      for (let node = inner - 1; node >= 0; node--) {
        const [left, right] = [nodeOfChild[2 * node]!, nodeOfChild[2 * node + 1]!];
        const stiffness = norm === 'l2' ? 2 * strength : strength / Math.max(Math.abs(contributions[node]!), LEAST);
        const both = curves[left]! + curves[right]! + stiffness;
        const lean = curves[left]! - curves[right]!;
        stiffnesses[node] = stiffness;
        curves[node] = curves[left]! + curves[right]! - (lean * lean) / both;
        slopes[node] = slopes[left]! + slopes[right]! - (lean * (slopes[left]! - slopes[right]!)) / both;
      }

      // down
      let moved = 0;
      const settle = (node: number, value: number): void => {
        if (node >= inner) moved = Math.max(moved, Math.abs(value - odds[node]!));
        odds[node] = value;
      };
      settle(0, (slopes[0]! + 2 * strength * centre) / (curves[0]! + 2 * strength));
      for (let node = 0; node < inner; node++) {
        const [left, right] = [nodeOfChild[2 * node]!, nodeOfChild[2 * node + 1]!];
        const own = odds[node]!;
        const contribution =
          (slopes[left]! - slopes[right]! - (curves[left]! - curves[right]!) * own) /
          (curves[left]! + curves[right]! + stiffnesses[node]!);
        contributions[node] = contribution;
        settle(left, own + contribution);
        settle(right, own - contribution);
      }
      if (moved < SETTLED) break;
    }
    for (let k = 0; k < components; k++) rates[k * dimensions + dim] = 1 / (1 + exp(-odds[inner + k]!));
  }
  return rates;
}
