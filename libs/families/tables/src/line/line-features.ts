import type { Variable } from '@orchard/contracts';
import { codesInOrder, holeCode, predictorCount, setBitsOf } from '@orchard/dataset';
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
  const { below, own } = setBitsOf(variable);
  // codes that set the same bits are one value
  const groups = new Map<number, { readonly below: number; readonly own: number; rows: number }>();
  let all = 0;
  for (const code of codesInOrder(variable)) {
    const key = below[code]! * (jumps.length + 1) + own[code]!;
    const group = groups.get(key) ?? { below: below[code]!, own: own[code]!, rows: 0 };
    groups.set(key, group);
    group.rows += counts[code]!;
    all += counts[code]!;
  }
  let rowsBelow = 0;
  let base: number | null = null;
  /** Of the base and the first `summed` bits. */
  let score = 0;
  let summed = 0;
  for (const group of groups.values()) {
    const goal = normalScore((rowsBelow + group.rows / 2 + 0.5) / (all + 1));
    rowsBelow += group.rows;
    if (base === null) {
      base = goal;
      score = goal;
    }
    // the last bit is the one that the values before do not have
    const last = group.own < 0 ? group.below - 1 : group.own;
    if (last < 0) continue;
    const others = group.own < 0 ? last : group.below;
    for (; summed < others; summed++) score += jumps[summed]!;
    jumps[last] = goal - score;
  }
  if (holeCode(variable) !== null) jumps[jumps.length - 1] = -(base ?? 0);
  return jumps;
}
