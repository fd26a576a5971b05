import {
  BOUND_ANSWERS,
  BoundModel,
  type BodyArrays,
  type ModelHead,
  type ModelSummary,
  type WhyIncomplete,
} from '@orchard/model';
import type { RandomStream } from '@orchard/numerics';
import { composedBy, PlacedPursuit, type PlacedExperts } from './compositions/index.js';
import { bodyOfExperts, bodyOfPlaces, compositionalFamily, factsOf } from './compositional-body.js';

/** What the bound leaves out. */
export const HOW_LOOSE =
  'A bound sums what one explanation of a row has, and those that differ from it in one template. Where few experts could still be summed over it was too low by 0.1 to 0.6 nats per row.';

/**
 * Experts that are too many to ask all sets of them, or that lie anywhere in an image. Rows are sampled exactly; their
 * likelihood is a lower bound: one explanation of the row, with all that differ from it in the state of one expert.
 */
export class PlacedCompositional extends BoundModel {
  readonly family = compositionalFamily;
  /** Made where it is first asked for: most files of a run's steps are only read. */
  #pursuit: PlacedPursuit | null = null;
  #composed: ReturnType<typeof composedBy> | null = null;

  /** @throws RangeError where the experts are of other columns, or places of another shape */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly placed: PlacedExperts,
  ) {
    super(head);
    const { experts, places } = placed;
    if (experts.dimensions !== head.dimensions)
      throw new RangeError(`experts of ${String(experts.dimensions)} columns`);
    if (places.options !== null && places.options.shape.join() !== head.shape?.join())
      throw new RangeError('places in images of another shape');
  }

  protected override bound(values: Uint8Array): number {
    this.#pursuit ??= new PlacedPursuit(this.placed);
    return this.#pursuit.bound(values);
  }

  /** First the experts, then their places. */
  protected override drawRates(stream: RandomStream, rates: Float64Array): void {
    const { experts, places, placement, spread } = this.placed;
    const set = Array.from(experts.active.keys()).filter((expert) => stream.uniform() < experts.active[expert]!);
    const drawn = placement.of(set).draw(stream);
    const axes = places.most.length;
    this.#composed ??= composedBy(spread);
    const composed = this.#composed;
    composed.clear();
    set.forEach((expert, at) => {
      composed.add(expert * places.count + places.at(drawn.subarray(at * axes, (at + 1) * axes)));
    });
    composed.ratesInto(rates);
  }

  protected override whyIncomplete(): WhyIncomplete {
    return {
      got: `unknown values, of ${String(this.placed.experts.count)} experts at ${String(this.placed.places.count)} places`,
      expected: 'few experts at one place, all sets of which can be summed over',
      remedy:
        'Train with fewer experts and without shifts and turns, or another model: chow-liu, cutset, mixture and boosted complete rows exactly.',
    };
  }

  summary(): ModelSummary {
    const { experts, places } = this.placed;
    const { shifts = 0, turns = 0 } = places.options ?? {};
    const where: [string, string] = [
      'places',
      `${String(places.count)} of each expert: shifted by up to ${String(shifts)} pixels, turned by up to ${String(turns)} degrees`,
    ];
    return {
      dimensions: this.dimensions,
      facts: [...factsOf(experts), ...(places.count > 1 ? [where] : []), BOUND_ANSWERS],
    };
  }

  protected body(): BodyArrays {
    return { ...bodyOfExperts(this.placed.experts), ...bodyOfPlaces(this.placed) };
  }
}
