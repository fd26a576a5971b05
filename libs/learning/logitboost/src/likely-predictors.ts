import { Split, type TrainingData } from '@orchard/kernel';
import { log } from '@orchard/numerics';
import { countOnes } from './count-ones.js';

/**
 * The predictors of a column with the most information about it, each by itself: by mutual information in the training
 * rows, of equal ones the earlier. What only several show together (x = a xor b) is not seen.
 *
 * O(training rows x ones a row); nothing where enough are required.
 *
 * @param count how many, fewer than there are before `position`
 * @param required positions that are always among them, rising; where these are more than `count`, they alone
 * @returns positions, rising
 */
export function likelyPredictors(
  data: TrainingData,
  position: number,
  count: number,
  required: Uint32Array,
): Uint32Array {
  if (required.length >= count) return required;
  const { trainingRows: rows } = data;
  const ones = onesOfAll(data);
  const own = ones[position]!;
  // the rarer value has fewer rows to be gone through
  const rarer = 2 * own <= rows ? 1 : 0;
  const joint = jointOnes(data, position, rarer);
  const told = Float64Array.from({ length: position }, (_, predictor) => {
    const both = rarer === 1 ? joint[predictor]! : ones[predictor]! - joint[predictor]!;
    return informationOf(rows, ones[predictor]!, own, both);
  });
  for (const predictor of required) told[predictor] = Infinity;
  const best = Uint32Array.from(told.keys()).sort((a, b) =>
    told[a] === told[b] ? a - b : told[b]! > told[a]! ? 1 : -1,
  );
  return best.subarray(0, count).sort();
}

/** Counts of a data set and thread, by memory and whether its validation rows are in training. */
const known = new WeakMap<WebAssembly.Memory, Map<boolean, Float64Array>>();

/** How many training rows have a 1, by position. */
function onesOfAll(data: TrainingData): Float64Array {
  const { memory, pooled } = data.handle;
  let counts = known.get(memory);
  if (counts === undefined) known.set(memory, (counts = new Map<boolean, Float64Array>()));
  let ones = counts.get(pooled);
  if (ones === undefined) counts.set(pooled, (ones = onesWhere(data, data.dimensions, () => true)));
  return ones;
}

/** How many training rows with that value at `position` have a 1, by position before it. */
function jointOnes(data: TrainingData, position: number, value: number): Float64Array {
  return onesWhere(data, position, (row) => data.bit(row, position) === value);
}

function onesWhere(data: TrainingData, positions: number, isCounted: (row: number) => boolean): Float64Array {
  const { rows, rowCount } = data;
  const { stride } = data.handle;
  const bytes = Math.ceil(positions / 8);
  const ones = new Float64Array(bytes * 8);
  for (let row = 0; row < rowCount; row++) {
    if (data.splitOf(row) !== Split.train || !isCounted(row)) continue;
    countOnes(ones, rows, row * stride, bytes);
  }
  return ones.subarray(0, positions);
}

/**
 * N times the mutual information of two columns, nats: of N rows `a` and `b` have a 1 in one of them, `both` in both.
 */
function informationOf(rows: number, a: number, b: number, both: number): number {
  const cells = term(both) + term(a - both) + term(b - both) + term(rows - a - b + both);
  return cells - term(a) - term(rows - a) - term(b) - term(rows - b) + term(rows);
}

function term(count: number): number {
  return count === 0 ? 0 : count * log(count);
}
