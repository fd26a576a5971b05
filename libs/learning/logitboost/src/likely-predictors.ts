import type { TrainingData } from '@orchard/kernel';
import { oncePer, log } from '@orchard/numerics';

/**
 * The predictors of a column with the most information about it, each by itself: by mutual information in the training
 * rows, of equal ones the earlier. What only several show together (x = a xor b) is not seen.
 *
 * O(training rows with the target's rarer value x positions / 128); nothing where enough are required.
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
  const joint = data.trainingOnesOf(position, { position, value: rarer });
  const terms = termsOf(rows);
  const told = new Float64Array(position);
  for (let predictor = 0; predictor < position; predictor++) {
    const both = rarer === 1 ? joint[predictor]! : ones[predictor]! - joint[predictor]!;
    told[predictor] = informationOf(terms, ones[predictor]!, own, both);
  }
  for (const predictor of required) told[predictor] = Infinity;
  return greatest(told, count).sort();
}

/** Where the greatest of the values are, of equal ones the earlier. O(values), for few of many. */
function greatest(values: Float64Array, count: number): Uint32Array {
  const order = (a: number, b: number): number => (values[a] === values[b] ? a - b : values[b]! > values[a]! ? 1 : -1);
  let best: number[] = [];
  let least = -Infinity;
  for (let at = 0; at < values.length; at++) {
    if (values[at]! <= least) continue;
    best.push(at);
    if (best.length < 2 * count) continue;
    best = best.sort(order).slice(0, count);
    least = values[best.at(-1)!]!;
  }
  return Uint32Array.from(best.sort(order).slice(0, count));
}

/** Counts of a data set and thread, by memory and whether its validation rows are in training. */
const countsIn = oncePer<WebAssembly.Memory, Map<boolean, Uint32Array>>(() => new Map());

/** How many training rows have a 1, by position. */
function onesOfAll(data: TrainingData): Uint32Array {
  const { memory, pooled } = data.handle;
  const counts = countsIn(memory);
  let ones = counts.get(pooled);
  if (ones === undefined) {
    ones = data.trainingOnesOf(data.dimensions);
    counts.set(pooled, ones);
  }
  return ones;
}

/**
 * N times the mutual information of two columns, nats: of N rows `a` and `b` have a 1 in one of them, `both` in both.
 *
 * @param terms n log n, of 0 to N
 */
function informationOf(terms: Float64Array, a: number, b: number, both: number): number {
  const rows = terms.length - 1;
  const cells = terms[both]! + terms[a - both]! + terms[b - both]! + terms[rows - a - b + both]!;
  return cells - terms[a]! - terms[rows - a]! - terms[b]! - terms[rows - b]! + terms[rows]!;
}

/** Of the number of rows that was asked for last. */
let lastTerms = new Float64Array();

/** n log n, of 0 to `rows`. */
function termsOf(rows: number): Float64Array {
  if (lastTerms.length !== rows + 1)
    lastTerms = Float64Array.from({ length: rows + 1 }, (_, count) => (count === 0 ? 0 : count * log(count)));
  return lastTerms;
}
