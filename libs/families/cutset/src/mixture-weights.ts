import { exp, log, sumOf } from '@orchard/numerics';

/** Steps of EM at most; it ends before where a step gains less than {@link LEAST_GAIN} nats per row. */
const STEPS = 100;
const LEAST_GAIN = 1e-7;
/** No component is given up wholly: the file's weights are positive. */
const LEAST_WEIGHT = 1e-12;

/**
 * Weights of a mixture by which some rows are likeliest, by EM from equal ones: w_m ← mean over rows of w_m P_m / Σ w
 * P. The likelihood is concave in the weights, so that there is one maximum.
 *
 * @param logs log P of each row under each component
 */
export function weightsByEm(logs: readonly Float64Array[]): Float64Array {
  const components = logs.length;
  const rows = logs[0]!.length;
  let weights = new Float64Array(components).fill(1 / components);
  let before = -Infinity;
  for (let step = 0; step < STEPS; step++) {
    const next = new Float64Array(components);
    const shares = new Float64Array(components);
    let likelihood = 0;
    for (let row = 0; row < rows; row++) {
      let highest = -Infinity;
      for (let m = 0; m < components; m++) highest = Math.max(highest, logs[m]![row]!);
      let sum = 0;
      for (let m = 0; m < components; m++) {
        shares[m] = weights[m]! * exp(logs[m]![row]! - highest);
        sum += shares[m]!;
      }
      for (let m = 0; m < components; m++) next[m]! += shares[m]! / sum;
      likelihood += log(sum) + highest;
    }
    if (likelihood - before < LEAST_GAIN * rows) break;
    before = likelihood;
    weights = normalized(next);
  }
  return weights;
}

function normalized(values: Float64Array): Float64Array<ArrayBuffer> {
  const total = sumOf(values);
  const kept = Float64Array.from(values, (value) => Math.max(value / total, LEAST_WEIGHT));
  const all = sumOf(kept);
  return kept.map((value) => value / all);
}
