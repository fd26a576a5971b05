import type { Variable } from '@orchard/contracts';
import { codesInOrder, holeCode, predictorBitsOf, predictorCount } from '@orchard/dataset';
import { normalScore } from './normal-score.js';

/**
 * What a line weighs. A number is one feature, its score, which its predictor bits add up to by jumps; each label, a
 * bit, and "this value is missing" is a feature of its own.
 */
export interface LineFeatures {
  /** Where the features of each position begin, and behind the last one their end. */
  readonly offsets: Uint32Array;
  /** Of each predictor bit: the score to which it adds its jump, -1 of none. */
  readonly scoreOf: Int32Array;
  /** Of each predictor bit: the feature that is this bit, -1 of none. */
  readonly ownOf: Int32Array;
}

/** @param variables in the ordering */
export function lineFeatures(variables: readonly Variable[]): LineFeatures {
  const offsets = new Uint32Array(variables.length + 1);
  const scoreOf: number[] = [];
  const ownOf: number[] = [];
  variables.forEach((variable, position) => {
    let feature = offsets[position]!;
    const bits = predictorCount(variable);
    const absence = holeCode(variable) === null ? -1 : bits - 1;
    const score = variable.kind === 'ordered' ? feature++ : -1;
    for (let bit = 0; bit < bits; bit++) {
      scoreOf.push(score);
      ownOf.push(score < 0 || bit === absence ? feature++ : -1);
    }
    offsets[position + 1] = feature;
  });
  return { offsets, scoreOf: Int32Array.from(scoreOf), ownOf: Int32Array.from(ownOf) };
}

/**
 * By how much each predictor bit of a variable moves its score: of an ordered one so that the score of a value is the
 * Gaussian quantile of its rank among the training rows, and a missing value has 0; of others nothing. Values between
 * which no bit tells have one score.
 *
 * @param counts training rows of each code
 */
export function scoreJumps(variable: Variable, counts: ArrayLike<number>): Float64Array {
  const jumps = new Float64Array(predictorCount(variable));
  if (variable.kind !== 'ordered') return jumps;
  const bits = predictorBitsOf(variable);
  // codes that set the same bits are one value
  const groups = new Map<string, { readonly bits: readonly number[]; rows: number }>();
  let all = 0;
  for (const code of codesInOrder(variable)) {
    const key = bits[code]!.join();
    const group = groups.get(key) ?? { bits: bits[code]!, rows: 0 };
    groups.set(key, group);
    group.rows += counts[code]!;
    all += counts[code]!;
  }
  let below = 0;
  let base: number | null = null;
  for (const group of groups.values()) {
    const score = normalScore((below + group.rows / 2 + 0.5) / (all + 1));
    below += group.rows;
    base ??= score;
    // the last bit is the one that the values before do not have
    const last = group.bits.at(-1);
    if (last === undefined) continue;
    const others = group.bits.reduce((sum, bit) => (bit === last ? sum : sum + jumps[bit]!), base);
    jumps[last] = score - others;
  }
  if (holeCode(variable) !== null) jumps[jumps.length - 1] = -(base ?? 0);
  return jumps;
}
