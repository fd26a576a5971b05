import type { OrderedVariable, Variable } from '@orchard/contracts';
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
import { log, meanOf, sumOf } from '@orchard/numerics';
import { fieldsOf, type VariablePlace } from '../decisions.js';
import { bestRidge, type ChosenRidge, type Sight } from './best-ridge.js';
import { centredAt, featureOf, MOST_FEATURES, rowsByCode, strongest, type Feature } from './feature.js';
import { edgesOf, everyNth, natsOf, scaleOf } from './edges-of-line.js';
import { countsOf, jumpsOf } from './jumps-of.js';
import { lineFeatures, type LineFeatures } from './line-features.js';
import { lineWeights, placeOf, sidesOf, type Line } from './line.js';
import { normalScore } from './normal-score.js';
import { onGrid } from './on-grid.js';
import { addByCode, ProductSums } from './products.js';
/** Of more rows every second, third, … is looked at. */
const MOST_ROWS = 20_000;
/** Fewer rows tell no line. */
const LEAST_ROWS = 10;

/** A line, how it was found, and what works out e^μ of every row of the data in its sorted order. */
export interface FittedLine extends Sight {
  readonly line: Line;
  readonly penalty: number;
  readonly scale: number;
  readonly places: () => Float64Array;
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
  const codesOf: CodesOf = (at) => codesInRows(fields, at, { rows: data.rowCount, bytes: data.rows });
  const codes = codesOf(position);
  const shares = sharesOf(variable, countsOf(data, codes, codeCount(variable)), order);
  const scores = scoresOf(variable, order, shares);
  const rows = rowsToFit(data, codes, scores);
  if (rows.length < LEAST_ROWS) return null;
  const codesOfRows = codesAt(codes, rows);
  const target = valuesOf(scores, codesOfRows);
  const mean = meanOf(target);
  const centred = target.map((score) => score - mean);

  const earlier = variables.slice(0, position);
  const features = lineFeatures(earlier, sumBitsInOrdering(table, ordering));
  const { candidates, jumps, steps } = candidatesOf(earlier, features, codesOf, { scoring, place, rows, centred });
  const found = bestRidge(candidates, centred, { before, withProducts });
  if (found === null) return null;
  const { hasNumbers, pairs, ridge } = found;

  const ranks = Uint32Array.from(valuesOf(ranksOf(variable, order), codesOfRows));
  const predicted = ridge.predicted.map((score) => score + mean);
  const scale = before?.scale ?? scaleOf(predicted, ranks, shares);
  const edges = edgesOf(predicted, scale, shares);
  const { intercept, coefficients, slopes, curvatures } = inUnitsOf(scale, found, features, mean);
  const logShares = shares.map((share) => log(share));
  const gained = natsOf(predicted, ranks, scale, edges).map((nats, row) => nats - logShares[ranks[row]!]!);
  const nats = sumOf(gained);
  const gain = (Math.max(0, nats) / shrinkage) * (data.trainingRows / rows.length);
  const sides = sidesOf(variable, decisionTreeOf(variable), edges);
  const line: Line = {
    intercept: onGrid(intercept / scale),
    coefficients,
    edges,
    decisions: Uint8Array.from(sides, (side, decision) => (side !== null && never[decision] !== true ? 1 : 0)),
    gains: gainsOf(found, position, gain),
    jumps: Float64Array.from(jumps),
    slopes,
    steps: Float64Array.from(steps),
    pairs,
    curvatures,
  };
  let places: Float64Array | null = null;
  return {
    line,
    penalty: ridge.penalty,
    hasNumbers,
    pairs,
    scale,
    // of a line that turns out to be useless they are not asked for
    places: () => {
      places ??= placesOf(sumsOf(line, features, earlier, codesOf, data.rowCount));
      return places;
    },
    isUseful: nats > 2 * errorOfSum(gained),
  };
}

/** The codes of all rows at a position. */
type CodesOf = (position: number) => Uint16Array;

/** What the regression may look at of the variables before, and how far each of their bits moves a score, a number. */
function candidatesOf(
  variables: readonly Variable[],
  { firstBits, offsets, ownOf, scoreOf }: LineFeatures,
  codesOf: CodesOf,
  {
    scoring,
    place,
    rows,
    centred,
  }: {
    readonly scoring: TrainingData;
    readonly place: VariablePlace;
    readonly rows: Uint32Array;
    readonly centred: Float64Array;
  },
): { readonly candidates: readonly Feature[]; readonly jumps: readonly number[]; readonly steps: readonly number[] } {
  const jumps: number[] = [];
  const steps: number[] = [];
  let candidates: Feature[] = [];
  const target = centredAt(centred);
  variables.forEach((variable, earlier) => {
    const codes = codesOf(earlier);
    // of millions of rows some thousands are fitted to
    const fitted = rowsByCode(codesAt(codes, rows), codeCount(variable), target);
    const first = jumps.length;
    const { scores, numbers: ofNumber } = jumpsOf(scoring, place, earlier, codes);
    append(jumps, scores);
    append(steps, ofNumber);
    for (let bit = jumps.length; bit < firstBits[earlier + 1]!; bit++) {
      jumps.push(0);
      steps.push(0);
    }
    const bits = Uint32Array.from({ length: predictorCount(variable) }, (_, bit) => first + bit);
    for (let feature = offsets[earlier]!; feature < offsets[earlier + 1]!; feature++) {
      const moves = Float64Array.from(bits, (bit) => {
        if (ownOf[bit] === feature) return 1;
        return scoreOf[bit] === feature ? jumps[bit]! : 0;
      });
      const own = { feature, earlier, isNumber: false };
      const found = featureOf(own, sumsByCode(variable, moves), fitted, target);
      if (found !== null) candidates.push(found);
    }
    if (variable.kind === 'ordered') {
      const own = { feature: offsets[earlier]!, earlier, isNumber: true };
      const number = featureOf(own, sumsByCode(variable, ofNumber), fitted, target);
      if (number !== null) candidates.push(number);
    }
    // of thousands of labels few are kept at a time
    if (candidates.length > 4 * MOST_FEATURES) candidates = strongest(candidates);
  });
  return { candidates, jumps, steps };
}

/**
 * A regression on features of unit variance as a line's: all but the intercept in units of its scale, which still lacks
 * it.
 */
function inUnitsOf(
  scale: number,
  { features: chosen, products, ridge }: ChosenRidge,
  { offsets }: LineFeatures,
  mean: number,
): Pick<Line, 'intercept' | 'coefficients' | 'slopes' | 'curvatures'> {
  const position = offsets.length - 1;
  const coefficients = new Float64Array(offsets[position]!);
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
  return { intercept, coefficients, slopes, curvatures };
}

/** What each position before has of a gain: by how much its features move the prediction, and products half each. */
function gainsOf({ features, products, ridge }: ChosenRidge, position: number, gain: number): Float64Array {
  const gains = new Float64Array(position);
  const parts = [...features, ...products].map(({ correlation }, at) =>
    Math.abs(ridge.coefficients[at]! * correlation),
  );
  const whole = sumOf(parts);
  if (!(whole > 0)) return gains;
  features.forEach(({ earlier }, at) => {
    gains[earlier]! += (gain * parts[at]!) / whole;
  });
  products.forEach(({ pair }, at) => {
    for (const earlier of pair) gains[earlier]! += (gain * parts[features.length + at]!) / (2 * whole);
  });
  return gains;
}

/** μ of every row. */
function sumsOf(
  line: Line,
  features: LineFeatures,
  variables: readonly Variable[],
  codesOf: CodesOf,
  rows: number,
): Float64Array {
  const weights = lineWeights(line, features);
  const sums = new Float64Array(rows).fill(line.intercept);
  variables.forEach((variable, earlier) => {
    const ofBits = weights.subarray(features.firstBits[earlier]!, features.firstBits[earlier + 1]!);
    const added = sumsByCode(variable, ofBits);
    if (added.some((value) => value !== 0)) addByCode(sums, added, codesOf(earlier));
  });
  if (line.pairs.length > 0) {
    const products = new ProductSums(line, features.positionOf);
    products.addTo(sums, products.numbersByCode(variables), products.factors.map(codesOf));
  }
  return sums;
}

/** By code, the normal score of the middle of its share; NaN of a code without an order. */
function scoresOf(variable: OrderedVariable, order: readonly number[], shares: Float64Array): Float64Array {
  const scores = new Float64Array(codeCount(variable)).fill(NaN);
  let below = 0;
  order.forEach((code, rank) => {
    scores[code] = normalScore(below + shares[rank]! / 2);
    below += shares[rank]!;
  });
  return scores;
}

function ranksOf(variable: OrderedVariable, order: readonly number[]): Float64Array {
  const ranks = new Float64Array(codeCount(variable));
  order.forEach((code, rank) => {
    ranks[code] = rank;
  });
  return ranks;
}

// Loops where a callback would say it in a line: rows are many, and fitted to for each variable before each other. Each
// is a function: a longer one around it would be compiled anew, as a whole, for each that runs long.

function append(list: number[], values: ArrayLike<number>): void {
  for (let at = 0; at < values.length; at++) list.push(values[at]!);
}

/** μ becomes e^μ. */
function placesOf(sums: Float64Array): Float64Array {
  for (let row = 0; row < sums.length; row++) sums[row] = placeOf(sums[row]!);
  return sums;
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
  const all = sumOf(shares);
  return shares.map((share) => share / all);
}

/** Training rows that have a value, or every n-th of them where they are many. */
function rowsToFit(data: TrainingData, codes: Uint16Array, scores: Float64Array): Uint32Array {
  const rows = new Uint32Array(codes.length);
  let count = 0;
  for (let row = 0; row < codes.length; row++)
    if (data.splitOf(row) === Split.train && !Number.isNaN(scores[codes[row]!]!)) rows[count++] = row;
  return everyNth(rows.subarray(0, count), MOST_ROWS);
}

/** The standard error of the sum of independent values. */
function errorOfSum(values: Float64Array): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
}
