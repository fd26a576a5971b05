import { sumListed } from './listed-sums.js';
import type { MixedDesign } from './mixed-design.js';
import type { Tying } from './mixed-weights.js';

/** Steps of conjugate gradients at once. */
const MOST_GRADIENTS = 30;
/** Of a curvature: what is left of it at least beside an intercept. */
const LEAST_LEFT = 1e-6;

/** Of the curvature that single weights have: less is none. */
const FLAT = 1e-7;

/** At 0 the common intercept, at 1 + h those of components, then features. */
export interface Signed {
  readonly active: Uint32Array;
  readonly weights: Float64Array;
  readonly signs: Float64Array;
  readonly penalties: Float64Array;
  /** Slopes less the penalties by their signs: 0 at the minimum. */
  readonly slopes: Float64Array;
}

/** Of a square: variances of each group, of each component and over each list. */
export interface Curvature {
  readonly design: MixedDesign;
  readonly tying: Tying;
  readonly variances: Float64Array;
  readonly variance: Float64Array;
  readonly listed: Float64Array;
}

/** Predictors of components that have weights: places of a shared and an own one among all weights, 0 for none. */
interface Lists {
  readonly at: Uint32Array;
  readonly shared: Uint32Array;
  readonly own: Uint32Array;
}

/**
 * How weights that are not 0 have to change that their slopes become 0: conjugate gradients on the square, by lists.
 * Features move along with an intercept that is not 0 as if their columns were centred: else rare values, which are
 * nearly the intercept's, are slow. A step costs two times all lists of predictors that have weights.
 *
 * @param near ends where no slope is more than this share of its penalty
 */
export function leapOf(
  curvature: Curvature,
  { active, weights, penalties, slopes }: Signed,
  near: number,
): Float64Array {
  const { design, tying, variance, listed } = curvature;
  const { predictors, components, signs } = design;
  const lists = listsOf(design, active);
  const size = weights.length;
  const isFree = weights.map((weight) => (weight === 0 ? 0 : 1));
  const meanOf = (at: number): number => {
    const own = variance[at % components]!;
    return own === 0 ? 0 : (signs[at]! * (2 * listed[at]! - own)) / own;
  };
  const all = variance.reduce((sum, own) => sum + own, 0);
  // of each feature the intercept that goes with it, and how far
  const beside = new Uint32Array(active.length);
  const means = new Float64Array(active.length);
  const curvatures = new Float64Array(size);
  curvatures[0] = all;
  for (let h = 0; h < components; h++) curvatures[1 + h] = variance[h]!;
  active.forEach((feature, place) => {
    let own = all;
    if (feature >= predictors) {
      const h = (feature - predictors) % components;
      own = variance[h]!;
      beside[place] = 1 + h;
      means[place] = isFree[1 + h]! * meanOf(feature - predictors);
    } else if (tying === 'auto') {
      let sum = 0;
      for (let h = 0; h < components; h++) sum += meanOf(feature * components + h) * variance[h]!;
      means[place] = (isFree[0]! * sum) / all;
    }
    curvatures[1 + components + place] = own * Math.max(1 - means[place]! ** 2, LEAST_LEFT);
  });
  /** From weights to weights whose features take their intercepts along, and slopes by these. */
  const takeAlong = (values: Float64Array): Float64Array => {
    const taken = values.slice();
    for (let place = 0; place < active.length; place++)
      taken[beside[place]!]! -= means[place]! * values[1 + components + place]!;
    return taken;
  };
  const slopesAlong = (values: Float64Array): Float64Array =>
    values.map((value, at) => {
      const place = at - 1 - components;
      return isFree[at]! * (place < 0 ? value : value - means[place]! * values[beside[place]!]!);
    });

  const changes = new Float64Array(size);
  const along = new Float64Array(size);
  const left = slopesAlong(slopes);
  let before = 0;
  for (let step = 0; step < MOST_GRADIENTS; step++) {
    let most = 0;
    let sum = 0;
    for (let at = 0; at < size; at++) {
      if (curvatures[at] === 0) continue;
      most = Math.max(most, Math.abs(left[at]!) / penalties[at]!);
      sum += (left[at]! * left[at]!) / curvatures[at]!;
    }
    if (most <= near) break;
    const kept = step === 0 ? 0 : sum / before;
    before = sum;
    for (let at = 0; at < size; at++)
      along[at] = (curvatures[at] === 0 ? 0 : left[at]! / curvatures[at]!) + kept * along[at]!;
    const bent = slopesAlong(bentBy(curvature, lists, takeAlong(along)));
    let bend = 0;
    let round = 0;
    for (let at = 0; at < size; at++) {
      bend += bent[at]! * along[at]!;
      round += curvatures[at]! * along[at]! ** 2;
    }
    // flat, as what is common is against what is own: penalties alone say how far
    if (!(bend > FLAT * round)) break;
    for (let at = 0; at < size; at++) {
      changes[at]! += (sum / bend) * along[at]!;
      left[at]! -= (sum / bend) * bent[at]!;
    }
  }
  return takeAlong(changes);
}

function listsOf({ predictors, components }: MixedDesign, active: Uint32Array): Lists {
  const shared = new Uint32Array(predictors * components);
  const own = new Uint32Array(predictors * components);
  active.forEach((feature, place) => {
    const at = 1 + components + place;
    if (feature >= predictors) own[feature - predictors] = at;
    else shared.fill(at, feature * components, (feature + 1) * components);
  });
  const at = Uint32Array.from(shared.keys()).filter((list) => shared[list]! > 0 || own[list]! > 0);
  return { at, shared: at.map((list) => shared[list]!), own: at.map((list) => own[list]!) };
}

/** By how much slopes fall where weights change by these. */
function bentBy({ design, variances }: Curvature, lists: Lists, changes: Float64Array): Float64Array {
  const { components, firsts, starts, members, signs } = design;
  const odds = new Float64Array(variances.length);
  const bases = Float64Array.from({ length: components }, (_, h) => changes[0]! + changes[1 + h]!);
  const changeOf = (place: number): number => {
    const [shared, own] = [lists.shared[place]!, lists.own[place]!];
    return signs[lists.at[place]!]! * ((shared > 0 ? changes[shared]! : 0) + (own > 0 ? changes[own]! : 0));
  };
  for (let place = 0; place < lists.at.length; place++) {
    const at = lists.at[place]!;
    const change = changeOf(place);
    bases[at % components]! -= change;
    for (let member = starts[at]!; member < starts[at + 1]!; member++) odds[members[member]!]! += 2 * change;
  }
  const bent = new Float64Array(changes.length);
  for (let h = 0; h < components; h++) {
    let sum = 0;
    for (let group = firsts[h]!; group < firsts[h + 1]!; group++) {
      odds[group] = (odds[group]! + bases[h]!) * variances[group]!;
      sum += odds[group]!;
    }
    bent[1 + h] = sum;
    bent[0]! += sum;
  }
  for (let place = 0; place < lists.at.length; place++) {
    const at = lists.at[place]!;
    const listed = sumListed(members, starts[at]!, starts[at + 1]!, odds);
    const slope = signs[at]! * (2 * listed - bent[1 + (at % components)]!);
    if (lists.shared[place]! > 0) bent[lists.shared[place]!]! += slope;
    if (lists.own[place]! > 0) bent[lists.own[place]!]! += slope;
  }
  return bent;
}
