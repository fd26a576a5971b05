import type { OrderedVariable } from '@orchard/contracts';
import {
  codeCount,
  codesInOrder,
  codesInRows,
  decisionTreeOf,
  pathsOf,
  predictorCount,
  sumBitsInOrdering,
  sumsByCode,
} from '@orchard/dataset';
import { Split, type TrainingData } from '@orchard/kernel';
import { log } from '@orchard/numerics';
import { fieldsOf, type VariablePlace } from '../decisions.js';
import { bestRidge, type Sight } from './best-ridge.js';
import { featureOf, MOST_FEATURES, strongest, type Feature } from './feature.js';
import { edgesOf, everyNth, natsOf, scaleOf, sumOf } from './edges-of-line.js';
import { lineFeatures, scoreJumps, valueJumps } from './line-features.js';
import { lineWeights, placeOf, sidesOf, type Line } from './line.js';
import { normalScore } from './normal-score.js';
import { onGrid } from './on-grid.js';
import { ProductSums } from './products.js';
/** Of more rows every second, third, … is looked at. */
const MOST_ROWS = 20_000;
/** Fewer rows tell no line. */
const LEAST_ROWS = 10;

/** A line, how it was found, and e^μ of every row of the data in its sorted order. */
export interface FittedLine extends Sight {
  readonly line: Line;
  readonly penalty: number;
  readonly scale: number;
  readonly places: Float64Array;
  /**
   * Whether rows of each fold are likelier by the line of the others than by base rates: by more than two standard
   * errors, so that a line on nothing is not one.
   */
  readonly isUseful: boolean;
}

/**
 * Fits a variable's {@link Line} to the training rows: ridge regression of its normal score on those of the numbers
 * before it, on labels and on what is missing, and on these numbers themselves and their products where that errs
 * less; this and the penalty by folds of the rows, the scale by the likelihood of each fold under the others, the edges
 * so that over all rows each value has the share that its decisions' rates give it. So a line that depends on nothing
 * gives the base rates. Ranks stand for values, and far numbers count as nearer ones: a wild value moves little.
 *
 * @param scoring the rows whose ranks are the scores: the training rows, when `data` has validation rows with them
 * @param before of a former fit: its penalty, its scale, and what it looks at
 * @param withProducts whether products are tried
 * @returns null where there is nothing to fit: no order, no predictors, too few rows
 */
export function fitLine(
  data: TrainingData,
  place: VariablePlace,
  never: readonly boolean[],
  shrinkage: number,
  {
    scoring = data,
    before,
    withProducts = true,
  }: { readonly scoring?: TrainingData; readonly before?: FittedLine; readonly withProducts?: boolean } = {},
): FittedLine | null {
  const { table, ordering, position } = place;
  const variables = Array.from(ordering, (index) => table.variables[index]!);
  const variable = variables[position]!;
  if (variable.kind !== 'ordered' || position === 0) return null;
  const order = codesInOrder(variable);
  if (order.length < 2) return null;
  const fields = fieldsOf(place);
  const rowsOf = { rows: data.rowCount, bytes: data.rows };
  const codes = codesInRows(fields, position, rowsOf);
  const shares = sharesOf(variable, countsOf(data, codes, codeCount(variable)), order);
  const scores = new Float64Array(codeCount(variable)).fill(NaN);
  let below = 0;
  order.forEach((code, rank) => {
    scores[code] = normalScore(below + shares[rank]! / 2);
    below += shares[rank]!;
  });
  const rows = rowsToFit(data, codes, scores);
  if (rows.length < LEAST_ROWS) return null;
  const codesOfRows = codesAt(codes, rows);
  const target = valuesOf(scores, codesOfRows);
  const mean = meanOf(target);
  const centred = target.map((score) => score - mean);

  const features = lineFeatures(variables.slice(0, position), sumBitsInOrdering(table, ordering));
  const jumps: number[] = [];
  const steps: number[] = [];
  let candidates: Feature[] = [];
  for (let earlier = 0; earlier < position; earlier++) {
    const other = variables[earlier]!;
    const own = codesInRows(fields, earlier, rowsOf);
    // of millions of rows some thousands are fitted to
    const fitted = codesAt(own, rows);
    const first = jumps.length;
    const counts = countsOf(scoring, own, codeCount(other));
    append(jumps, scoreJumps(other, counts));
    const ofNumber = valueJumps(other, counts);
    append(steps, ofNumber);
    for (let bit = jumps.length; bit < features.firstBits[earlier + 1]!; bit++) {
      jumps.push(0);
      steps.push(0);
    }
    const bits = Uint32Array.from({ length: predictorCount(other) }, (_, bit) => first + bit);
    for (let feature = features.offsets[earlier]!; feature < features.offsets[earlier + 1]!; feature++) {
      const values = sumsByCode(
        other,
        Float64Array.from(bits, (bit) => {
          if (features.ownOf[bit] === feature) return 1;
          return features.scoreOf[bit] === feature ? jumps[bit]! : 0;
        }),
      );
      const found = featureOf({ feature, earlier, isNumber: false }, values, fitted, centred);
      if (found !== null) candidates.push(found);
    }
    const asNumber = { feature: features.offsets[earlier]!, earlier, isNumber: true };
    const number = other.kind === 'ordered' ? featureOf(asNumber, sumsByCode(other, ofNumber), fitted, centred) : null;
    if (number !== null) candidates.push(number);
    // of thousands of labels few are kept at a time
    if (candidates.length > 4 * MOST_FEATURES) candidates = strongest(candidates);
  }
  const found = bestRidge(candidates, centred, { before, withProducts });
  if (found === null) return null;
  const { features: chosen, products, hasNumbers, pairs, ridge } = found;

  const rankOf = new Float64Array(codeCount(variable));
  order.forEach((code, rank) => {
    rankOf[code] = rank;
  });
  const ranks = Uint32Array.from(valuesOf(rankOf, codesOfRows));
  const predicted = ridge.predicted.map((score) => score + mean);
  const scale = before?.scale ?? scaleOf(predicted, ranks, shares);
  const edges = edgesOf(predicted, scale, shares);

  const coefficients = new Float64Array(features.offsets[position]!);
  const slopes = new Float64Array(position);
  let intercept = mean;
  chosen.forEach(({ feature, earlier, isNumber, mean: centre, deviation }, at) => {
    const coefficient = ridge.coefficients[at]! / deviation;
    if (isNumber) slopes[earlier] = coefficient / scale;
    else coefficients[feature] = coefficient / scale;
    intercept -= coefficient * centre;
  });
  const curvatures = Float64Array.from(products, ({ one, other, mean: centre, deviation }, at) => {
    const own = ridge.coefficients[chosen.length + at]! / deviation;
    const coefficient = own / (one.deviation * other.deviation);
    // (x - a) (y - b) = x y - b x - a y + a b
    slopes[one.earlier]! -= (coefficient * other.mean) / scale;
    slopes[other.earlier]! -= (coefficient * one.mean) / scale;
    intercept += coefficient * one.mean * other.mean - own * centre;
    return coefficient / scale;
  });
  const logShares = shares.map((share) => log(share));
  const gained = natsOf(predicted, ranks, scale, edges).map((nats, row) => nats - logShares[ranks[row]!]!);
  const nats = sumOf(gained);
  const gains = new Float64Array(position);
  const parts = [...chosen, ...products].map(({ correlation }, at) => Math.abs(ridge.coefficients[at]! * correlation));
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const gain = (Math.max(0, nats) / shrinkage) * (data.trainingRows / rows.length);
  if (whole > 0) {
    chosen.forEach(({ earlier }, at) => {
      gains[earlier]! += (gain * parts[at]!) / whole;
    });
    products.forEach(({ pair }, at) => {
      for (const earlier of pair) gains[earlier]! += (gain * parts[chosen.length + at]!) / (2 * whole);
    });
  }
  const sides = sidesOf(variable, decisionTreeOf(variable), edges);
  const line: Line = {
    intercept: onGrid(intercept / scale),
    coefficients,
    edges,
    decisions: Uint8Array.from(sides, (side, decision) => (side !== null && never[decision] !== true ? 1 : 0)),
    gains,
    jumps: Float64Array.from(jumps),
    slopes,
    steps: Float64Array.from(steps),
    pairs,
    curvatures,
  };
  const weights = lineWeights(line, features);
  const places = new Float64Array(data.rowCount).fill(line.intercept);
  for (let earlier = 0; earlier < position; earlier++) {
    const ofBits = weights.subarray(features.firstBits[earlier]!, features.firstBits[earlier + 1]!);
    const added = sumsByCode(variables[earlier]!, ofBits);
    if (added.every((value) => value === 0)) continue;
    addByCode(places, added, codesInRows(fields, earlier, rowsOf));
  }
  if (pairs.length > 0) {
    const sums = new ProductSums(line, features.positionOf);
    const own = sums.factors.map((earlier) => codesInRows(fields, earlier, rowsOf));
    addProducts(places, sums, sums.numbersByCode(variables), own);
  }
  return {
    line,
    penalty: ridge.penalty,
    hasNumbers,
    pairs,
    scale,
    places: places.map(placeOf),
    isUseful: nats > 2 * errorOfSum(gained),
  };
}

// Loops where a callback would say it in a line: rows are many, and fitted to for each variable before each other. None
// stands in the long function above, which would be compiled anew, as a whole, for each that runs long.

function append(list: number[], values: ArrayLike<number>): void {
  for (let at = 0; at < values.length; at++) list.push(values[at]!);
}

function addByCode(sums: Float64Array, added: Float64Array, codes: Uint16Array): void {
  for (let row = 0; row < codes.length; row++) sums[row]! += added[codes[row]!]!;
}

/** @param numbers of each factor, by code; `codes` of each, by row */
function addProducts(
  sums: Float64Array,
  products: ProductSums,
  numbers: readonly Float64Array[],
  codes: readonly Uint16Array[],
): void {
  const ofRow = new Float64Array(numbers.length);
  for (let row = 0; row < sums.length; row++) {
    for (let factor = 0; factor < numbers.length; factor++) ofRow[factor] = numbers[factor]![codes[factor]![row]!]!;
    sums[row]! += products.sum(ofRow, products.all);
  }
}

function codesAt(codes: Uint16Array, rows: Uint32Array): Uint16Array {
  const found = new Uint16Array(rows.length);
  for (let at = 0; at < rows.length; at++) found[at] = codes[rows[at]!]!;
  return found;
}

function valuesOf(values: Float64Array, codes: Uint16Array): Float64Array {
  const found = new Float64Array(codes.length);
  for (let at = 0; at < codes.length; at++) found[at] = values[codes[at]!]!;
  return found;
}

/** Training rows of each code. */
function countsOf(data: TrainingData, codes: Uint16Array, count: number): Uint32Array {
  const counts = new Uint32Array(count);
  for (let row = 0; row < codes.length; row++) if (data.splitOf(row) === Split.train) counts[codes[row]!]!++;
  return counts;
}

/**
 * The share of each value, in their order, among those that have one: by the base rate of each decision on its path, as
 * boosting starts from them, so that no value has none.
 */
function sharesOf(variable: OrderedVariable, counts: Uint32Array, order: readonly number[]): Float64Array {
  const tree = decisionTreeOf(variable);
  const rowsBelow = (child: number): number =>
    child < 0 ? counts[-1 - child]! : rowsBelow(tree.zero[child]!) + rowsBelow(tree.one[child]!);
  const ones = Float64Array.from(tree.zero, (zero, decision) => {
    const [without, having] = [rowsBelow(zero), rowsBelow(tree.one[decision]!)];
    return (having + 0.5) / (without + having + 1);
  });
  const paths = pathsOf(tree);
  const shares = Float64Array.from(order, (code) =>
    paths[code]!.reduce(
      (share, { decision, outcome }) => share * (outcome === 1 ? ones[decision]! : 1 - ones[decision]!),
      1,
    ),
  );
  const all = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / all);
}

/** Training rows that have a value, or every n-th of them where they are many. */
function rowsToFit(data: TrainingData, codes: Uint16Array, scores: Float64Array): Uint32Array {
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row++)
    if (data.splitOf(row) === Split.train && !Number.isNaN(scores[codes[row]!]!)) rows.push(row);
  return everyNth(Uint32Array.from(rows), MOST_ROWS);
}

function meanOf(values: Float64Array): number {
  return sumOf(values) / values.length;
}

/** The standard error of the sum of independent values. */
function errorOfSum(values: Float64Array): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
}
