import { holeCode } from '@orchard/dataset';
import { exp, log } from '@orchard/numerics';
import { jointGivenKnown } from '../anomalies/given-the-rest.js';
import type { CodedRows } from '../anomalies/whole-rows.js';
import { ROOT_OF_EVIDENCE, type TabularModel } from '../tables/tabular-model.js';

/** What {@link predictGivenKnown} found. */
export interface Predicted {
  /** Element `row * codes + code`; 0 of a missing value. */
  readonly shares: Float64Array;
  /** Rows with unknown values in other columns. */
  readonly incomplete: number;
}

/**
 * P(code | what is known of the other columns, and that there is a value) of each code of one variable. What is unknown
 * is summed out as by `jointGivenKnown`. Whether the variable itself is known does not matter.
 *
 * Each member of peers predicts by itself, and what they say is multiplied, each to the power of its share of the
 * fourth roots of their evidence. A mean of distributions that lie apart is wider than each of them, and holds more
 * values than it says; the product is about as wide as one. Bayes' rule for the mixture, by the evidence itself, makes
 * too much of one row: peers differ by what they erred in.
 */
export function predictGivenKnown(model: TabularModel, index: number, rows: CodedRows, seed: number): Predicted {
  const told = (model.peers ?? [model]).map((peer) => jointGivenKnown(peer, index, rows, seed));
  const [{ nats, incomplete }] = told as [(typeof told)[0]];
  const shares = new Float64Array(nats.length);
  const codes = nats.length / rows.matrix.rows;
  const hole = holeCode(model.table.variables[index]!);
  for (let from = 0; from < nats.length; from += codes) {
    const own = told.map((each) => each.nats.subarray(from, from + codes));
    shares.set(sharesOf(logProduct(own, hole), hole), from);
  }
  return { shares, incomplete };
}

/** The logarithm of what peers say of one row together, but for a constant. @param joint of each, of each code */
function logProduct(joint: readonly Float64Array[], hole: number | null): Float64Array {
  if (joint.length === 1) return joint[0]!;
  const evidence = joint.map((own) => logSum(own, hole));
  const most = evidence.reduce((greatest, nats) => Math.max(greatest, nats), -Infinity);
  const product = new Float64Array(joint[0]!.length);
  // where no peer holds what is known possible all codes are alike
  if (most === -Infinity) return product;
  const roots = evidence.map((nats) => exp((nats - most) / ROOT_OF_EVIDENCE));
  const sum = roots.reduce((all, root) => all + root, 0);
  for (const [peer, own] of joint.entries()) {
    const power = roots[peer]! / sum;
    // a peer without a say would make 0 × ∞ of codes that it holds impossible
    if (power === 0) continue;
    for (let code = 0; code < product.length; code++) product[code]! += power * (own[code]! - evidence[peer]!);
  }
  return product;
}

/** Shares of the codes but that of a missing value, by logarithms; all alike where none is possible. */
function sharesOf(logs: Float64Array, hole: number | null): Float64Array {
  const greatest = logs.reduce((most, nats, code) => (code === hole ? most : Math.max(most, nats)), -Infinity);
  const shares = logs.map((nats, code) => {
    if (code === hole) return 0;
    return greatest === -Infinity ? 1 : exp(nats - greatest);
  });
  const sum = shares.reduce((all, share) => all + share, 0);
  return shares.map((share) => share / sum);
}

function logSum(logs: Float64Array, hole: number | null): number {
  const greatest = logs.reduce((most, nats, code) => (code === hole ? most : Math.max(most, nats)), -Infinity);
  if (greatest === -Infinity) return -Infinity;
  return greatest + log(logs.reduce((sum, nats, code) => (code === hole ? sum : sum + exp(nats - greatest)), 0));
}
