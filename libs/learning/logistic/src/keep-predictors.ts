import type { Design } from './design.js';
import type { MixedDesign } from './mixed-design.js';

/**
 * The same target with some of its predictors alone: predictor j is then the one that was `kept[j]`. Groups stay those
 * of all predictors, so that some of them have become equal; sums over them are the same.
 *
 * @param kept ascending
 */
export function keepPredictors<Own extends Design | MixedDesign>(design: Own, kept: Uint32Array): Own {
  if (kept.length === design.predictors) return design;
  const lists = design.signs.length / design.predictors;
  const places = Array.from(
    { length: kept.length * lists },
    (_, at) => kept[Math.floor(at / lists)]! * lists + (at % lists),
  );
  const starts = new Uint32Array(places.length + 1);
  places.forEach((place, at) => {
    starts[at + 1] = starts[at]! + design.starts[place + 1]! - design.starts[place]!;
  });
  const members = new Uint32Array(starts.at(-1)!);
  places.forEach((place, at) => {
    members.set(design.members.subarray(design.starts[place], design.starts[place + 1]), starts[at]);
  });
  const signs = Int8Array.from(places, (place) => design.signs[place]!);
  return { ...design, predictors: kept.length, starts, members, signs };
}
