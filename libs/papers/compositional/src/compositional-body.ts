import { compositions, Experts, PlacedExperts, Placement, Places, type PlaceOptions } from './compositions/index.js';
import { mostExperts } from '@orchard/mixture/every-set';
import { NumberArray, type BodyArrays, type ModelBody, type ModelHead, type ModelSummary } from '@orchard/model';

export const compositionalFamily = 'compositional';

/** Values of templates at all places, at most: 16 MB. */
const MOST_CELLS = 2 ** 21;

/** What is wrong with so many experts at so many places of so many columns, or null. */
export function tooMany(experts: number, places: number, dimensions: number): string | null {
  const most = Math.floor(MOST_CELLS / (places * dimensions));
  if (experts <= most) return null;
  return most < 1 ? 'fewer columns or places' : `at most ${String(most)} experts at ${String(places)} places`;
}

/** Whether the likelihood of such experts is summed exactly. */
export function isExact(experts: number, dimensions: number, places: PlaceOptions | null): boolean {
  return places === null && experts <= mostExperts(dimensions);
}

export function factsOf({ active, count, composition }: Experts): ModelSummary['facts'] {
  const expected = active.reduce((sum, share) => sum + share, 0);
  return [
    ['model', `${String(count)} ${count === 1 ? 'expert' : 'experts'}, composed by ${composition}`],
    ['active', `${expected.toFixed(2)} of them in a row, on average`],
  ];
}

export function bodyOfExperts({ composition, abstaining, active, rates }: Experts): BodyArrays {
  return {
    composition: NumberArray.ofIntegers([Uint32Array.of(compositions.indexOf(composition))]),
    abstaining: NumberArray.ofFloats([Float64Array.of(abstaining)]),
    active: NumberArray.ofFloats([active]),
    rates: NumberArray.ofFloats([rates]),
  };
}

/** Nothing of experts at one place: many of them are known by their number. */
export function bodyOfPlaces({ places, placement }: PlacedExperts): BodyArrays {
  if (places.options === null) return {};
  const { shifts, turns } = places.options;
  return {
    places: NumberArray.ofIntegers([Uint32Array.of(shifts, turns)]),
    mean: NumberArray.ofFloats([placement.mean]),
    covariance: NumberArray.ofFloats([placement.covariance]),
  };
}

/** @throws RangeError where the numbers are no experts of such rows */
export function expertsIn(body: ModelBody, { dimensions, shape }: Omit<ModelHead, 'family'>): Experts | PlacedExperts {
  const isPlaced = body.has('places');
  body.requireOnly([
    ...['composition', 'abstaining', 'active', 'rates'],
    ...(isPlaced ? ['places', 'mean', 'covariance'] : []),
  ]);
  const count = body.bytes('active').length / 8;
  const composition = compositions[body.integers('composition', 1)[0]!];
  if (composition === undefined) throw new RangeError('another composition');
  const experts = new Experts({
    composition,
    dimensions,
    abstaining: body.floats('abstaining', 1)[0]!,
    active: body.floats('active', count),
    rates: body.floats('rates', count * dimensions),
  });
  if (!isPlaced && isExact(count, dimensions, null)) return experts;
  const [shifts, turns] = isPlaced ? body.integers('places', 2) : [0, 0];
  if (isPlaced && shape === null) throw new RangeError('places of rows that are no images');
  const places = new Places(dimensions, isPlaced ? { shape: shape!, shifts: shifts!, turns: turns! } : null);
  const coordinates = count * places.most.length;
  const placement = new Placement({
    experts: count,
    most: places.most,
    mean: isPlaced ? body.floats('mean', coordinates) : new Float64Array(0),
    covariance: isPlaced ? body.floats('covariance', coordinates ** 2) : new Float64Array(0),
  });
  return new PlacedExperts({ experts, places, placement });
}
