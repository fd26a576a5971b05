import type { CountedRows } from '@orchard/dataset';
import { EPSILON, Experts, isAsymmetric, isExtremal, type ExpertParts } from './experts.js';
import { ExtremalCounts } from './extremal-counts.js';
import { PlacedExperts } from './placed-experts.js';
import { PlacedPursuit, type Configuration } from './placed-pursuit.js';
import { PlacementCounts } from './placement.js';
import { SetCounts } from './set-counts.js';

/** A step of EM of placed experts, and how those before it explained the rows. */
export interface PlacedStep {
  readonly placed: PlacedExperts;
  /** Summed nats of all rows under the composed templates of the experts before. */
  readonly explained: number;
}

/**
 * Hard EM (thesis, 3.3): every row is explained by experts and their places, and each column of it counts for the
 * column of a template that was shown there (eq. 3.1). Of a rule that is not one of extremes, experts lie at one place.
 *
 * @returns null where it was cancelled
 */
export function placedStepOf(
  { distinct, counts, rows }: CountedRows,
  placed: PlacedExperts,
  isCancelled: () => boolean = () => false,
): PlacedStep | null {
  const { experts } = placed;
  const pursuit = new PlacedPursuit(placed);
  const isOfExtremes = isExtremal(experts.composition);
  const templates = isOfExtremes ? new ExtremalCounts(experts.count, experts.dimensions) : new SetCounts();
  const placement = new PlacementCounts(placed.placement);
  const active = new Float64Array(experts.count);
  const values = new Uint8Array(experts.dimensions);
  let explained = 0;
  for (let row = 0; row < distinct.rows; row++) {
    if (row % 16 === 0 && isCancelled()) return null;
    distinct.readRow(row, values);
    const times = counts[row]!;
    const own = pursuit.explain(values);
    explained += times * own.nats;
    for (const expert of own.experts) active[expert]! += times;
    placement.add(own.experts, coordinatesOf(placed, own), times);
    if (templates instanceof SetCounts) templates.add(experts, values, own.experts, times);
    else templates.addPlaced(placed, values, own, times);
  }
  const shares = active.map((count) => (count + EPSILON) / (rows + 2 * EPSILON));
  const rates = atLeast(experts, templates.rates(experts));
  return {
    placed: new PlacedExperts({
      experts: new Experts({ ...experts.parts(), active: shares, rates }),
      places: placed.places,
      placement: placement.placement(),
    }),
    explained,
  };
}

/**
 * Of rules on a background no opinion is below it. A pixel of a template that is turned may be shown by two of a row,
 * and so be counted more often than there are rows.
 */
export function atLeast(
  { composition, abstaining }: Pick<ExpertParts, 'composition' | 'abstaining'>,
  rates: Float64Array,
): Float64Array {
  return isAsymmetric(composition) ? rates.map((rate) => Math.max(rate, abstaining)) : rates;
}

function coordinatesOf({ places }: PlacedExperts, { places: own }: Configuration): number[] {
  return own.flatMap((place) => [...places.of(place)]);
}
