import { strongest, type Feature } from './feature.js';
import { LentArrays } from './lent-arrays.js';
import { pairsOf, productOf, type Pair, type Product } from './products.js';
import { fitRidge, KnownSums, type RidgeFit } from './ridge.js';

/** Penalties that are tried, for predictors of unit variance and per row. */
const PENALTIES: readonly number[] = [1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003];
/**
 * Products have to err so much less: of squares of few rows some are less by chance (measured.md, "Products of
 * numbers").
 */
const ERROR_BY_PRODUCTS = 0.95;

/** Of this thread, which fits one line at a time. */
const lent = new LentArrays();

/** What a regression looks at beside scores, labels and what is missing. */
export interface Sight {
  /** Whether at the numbers themselves. */
  readonly hasNumbers: boolean;
  /** At the products of which numbers. */
  readonly pairs: readonly Pair[];
}

/** A regression, and of each of its coefficients what it is of: those of features first. */
export interface ChosenRidge extends Sight {
  readonly features: readonly Feature[];
  readonly products: readonly Product[];
  readonly ridge: RidgeFit;
}

/**
 * The regression on scores, on scores and numbers, or on both and the products of numbers: the one that errs least,
 * each fold of the rows by the others; products where they err a twentieth less.
 *
 * @param before what was found of fewer rows: a regression of its kind and penalty is fitted
 * @returns null without a feature
 */
export function bestRidge(
  candidates: readonly Feature[],
  target: Float64Array,
  {
    before,
    withProducts,
  }: { readonly before?: (Sight & { readonly penalty: number }) | undefined; readonly withProducts: boolean },
): ChosenRidge | null {
  const numbers = candidates.filter(({ isNumber }) => isNumber);
  const numberAt = new Map(numbers.map((number) => [number.earlier, number]));
  const sights: readonly Sight[] = before === undefined ? sightsOf(numbers, withProducts) : [before];
  // the same arrays each time, so that sums of their products are known
  const units = new Map<Feature, Float64Array>();
  const unitsOf = (feature: Feature): Float64Array => {
    const found = units.get(feature);
    if (found !== undefined) return found;
    const values = lent.take();
    writeUnitValues(feature, values);
    units.set(feature, values);
    return values;
  };
  lent.begin(target.length);
  const factors = { unitsOf, target, spread: summedSquares(target), lent };
  const known = new KnownSums();
  let best: ChosenRidge | null = null;
  for (const { hasNumbers, pairs } of sights) {
    const features = strongest(candidates.filter(({ isNumber }) => hasNumbers || !isNumber));
    if (features.length === 0) continue;
    const products = pairs
      .map(([one, other]) => productOf(numberAt.get(one), numberAt.get(other), factors))
      .filter((product) => product !== null);
    const predictors = [...features.map(unitsOf), ...products.map(({ values }) => values)];
    const ridge = fitRidge({ predictors, target }, before === undefined ? PENALTIES : [before.penalty], known, lent);
    const share = products.length > 0 ? ERROR_BY_PRODUCTS : 1;
    if (best === null || ridge.error < share * best.ridge.error)
      best = { hasNumbers, pairs: products.map(({ pair }) => pair), features, products, ridge };
  }
  return best;
}

function sightsOf(numbers: readonly Feature[], withProducts: boolean): Sight[] {
  const sights: Sight[] = [{ hasNumbers: false, pairs: [] }];
  if (numbers.length > 0) sights.push({ hasNumbers: true, pairs: [] });
  if (numbers.length > 0 && withProducts) sights.push({ hasNumbers: true, pairs: pairsOf(numbers) });
  return sights;
}

function writeUnitValues({ values, codes, mean, deviation }: Feature, out: Float64Array): void {
  const units = values.map((value) => (value - mean) / deviation);
  writeByCode(units, codes, out);
}

function writeByCode(values: Float64Array, codes: Uint16Array, out: Float64Array): void {
  for (let at = 0; at < codes.length; at++) out[at] = values[codes[at]!]!;
}

function summedSquares(values: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at]! * values[at]!;
  return sum;
}
