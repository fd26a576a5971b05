import type { Variable } from '@orchard/contracts';
import { codesInOrder, holeCode, meanOfCode, predictorCount, setBitsOf } from '@orchard/dataset';
import { normalScore } from './normal-score.js';

/**
 * What a line weighs. A number is one feature, its score, which its predictor bits add up to by jumps; each label, a
 * bit, and "this value is missing" is a feature of its own.
 */
export interface LineFeatures {
  /** In the ordering. */
  readonly variables: readonly Variable[];
  /** Where the features of each position begin, and behind the last one their end. */
  readonly offsets: Uint32Array;
  /** Of each predictor bit: the score to which it adds its jump, -1 of none. */
  readonly scoreOf: Int32Array;
  /** Of each predictor bit: the feature that is this bit, -1 of none. */
  readonly ownOf: Int32Array;
  /** Of each predictor bit: its position, -1 of the bits of sums. */
  readonly positionOf: Int32Array;
  /** Where the predictor bits of each position begin, and behind the last one their end. */
  readonly firstBits: Uint32Array;
}

/**
 * @param variables in the ordering
 * @param sumBits of each, how many bits of sums stand behind its own (`sumBitsInOrdering`): a line has nothing of them
 */
export function lineFeatures(variables: readonly Variable[], sumBits: readonly number[]): LineFeatures {
  const firstBits = new Uint32Array(variables.length + 1);
  const offsets = new Uint32Array(variables.length + 1);
  const scoreOf: number[] = [];
  const ownOf: number[] = [];
  const positionOf: number[] = [];
  variables.forEach((variable, position) => {
    let feature = offsets[position]!;
    const bits = predictorCount(variable);
    const absence = holeCode(variable) === null ? -1 : bits - 1;
    const score = variable.kind === 'ordered' ? feature++ : -1;
    for (let bit = 0; bit < bits; bit++) {
      scoreOf.push(score);
      positionOf.push(position);
      ownOf.push(score < 0 || bit === absence ? feature++ : -1);
    }
    offsets[position + 1] = feature;
    for (let bit = 0; bit < sumBits[position]!; bit++) {
      scoreOf.push(-1);
      positionOf.push(-1);
      ownOf.push(-1);
    }
    firstBits[position + 1] = positionOf.length;
  });
  return {
    variables,
    offsets,
    scoreOf: Int32Array.from(scoreOf),
    ownOf: Int32Array.from(ownOf),
    positionOf: Int32Array.from(positionOf),
    firstBits,
  };
}

/** Numbers count as the median and so many units at most, so that a wild one does not turn a line. */
const FARTHEST_VALUE = 4;
/** A unit is half of what these shares of the rows lie between: a standard deviation, of a Gaussian. */
const UNIT_SHARES = { low: 0.16, high: 0.84 } as const;

/** Codes of an ordered variable that set the same predictor bits: for a line they are one value. */
interface AlikeCodes {
  readonly below: number;
  readonly own: number;
  readonly codes: readonly number[];
  /** Training rows. */
  readonly rows: number;
}

/**
 * By how much each predictor bit of a variable moves its score: of an ordered one so that the score of a value is the
 * Gaussian quantile of its rank among the training rows, and a missing value has 0; of others nothing. Values between
 * which no bit tells have one score.
 *
 * @param counts training rows of each code
 */
export function scoreJumps(variable: Variable, counts: ArrayLike<number>): Float64Array {
  return jumpsTo(variable, counts, (values) => {
    const all = values.reduce((sum, { rows }) => sum + rows, 0);
    let below = 0;
    return values.map(({ rows }) => {
      below += rows;
      return normalScore((below - rows / 2 + 0.5) / (all + 1));
    });
  });
}

/**
 * By how much each predictor bit of a variable moves its number, as {@link scoreJumps}: less the median, in units of
 * its spread, 4 at most. A value that a sum of others determines lies on a line of numbers, and on none of scores.
 */
export function valueJumps(variable: Variable, counts: ArrayLike<number>): Float64Array {
  return jumpsTo(variable, counts, (values) => {
    if (variable.kind !== 'ordered') return [];
    const means = values.map(({ codes, rows }) => {
      const weightOf = (code: number): number => (rows > 0 ? counts[code]! / rows : 1 / codes.length);
      return codes.reduce((sum, code) => sum + meanOfCode(variable, code) * weightOf(code), 0);
    });
    const all = values.reduce((sum, { rows }) => sum + rows, 0);
    const quantile = (share: number): number => {
      let below = 0;
      const at = values.findIndex(({ rows }) => {
        below += rows;
        return below >= share * all;
      });
      return means[at]!;
    };
    const median = quantile(0.5);
    const unit = (quantile(UNIT_SHARES.high) - quantile(UNIT_SHARES.low)) / 2;
    if (!(unit > 0 && unit < Infinity)) return means.map(() => 0);
    return means.map((mean) => Math.max(-FARTHEST_VALUE, Math.min((mean - median) / unit, FARTHEST_VALUE)));
  });
}

/** Jumps that add up to a goal for each value. */
function jumpsTo(
  variable: Variable,
  counts: ArrayLike<number>,
  goalsOf: (values: readonly AlikeCodes[]) => readonly number[],
): Float64Array {
  const jumps = new Float64Array(predictorCount(variable));
  if (variable.kind !== 'ordered') return jumps;
  const { below, own } = setBitsOf(variable);
  const groups = new Map<number, { below: number; own: number; codes: number[]; rows: number }>();
  for (const code of codesInOrder(variable)) {
    const key = below[code]! * (jumps.length + 1) + own[code]!;
    const group = groups.get(key) ?? { below: below[code]!, own: own[code]!, codes: [], rows: 0 };
    groups.set(key, group);
    group.codes.push(code);
    group.rows += counts[code]!;
  }
  const values = [...groups.values()];
  const goals = goalsOf(values);
  const base = goals[0];
  /** Of the base and the first `summed` bits. */
  let sum = base ?? 0;
  let summed = 0;
  for (const [at, group] of values.entries()) {
    // the last bit is the one that the values before do not have
    const last = group.own < 0 ? group.below - 1 : group.own;
    if (last < 0) continue;
    const others = group.own < 0 ? last : group.below;
    for (; summed < others; summed++) sum += jumps[summed]!;
    jumps[last] = goals[at]! - sum;
  }
  if (holeCode(variable) !== null) jumps[jumps.length - 1] = -(base ?? 0);
  return jumps;
}
