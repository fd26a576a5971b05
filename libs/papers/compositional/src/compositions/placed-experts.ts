import { Experts } from './experts.js';
import type { Places } from './places.js';
import type { Placement } from './placement.js';

export interface PlacedParts {
  readonly experts: Experts;
  readonly places: Places;
  readonly placement: Placement;
}

/**
 * Experts each of which is active at one place at most (thesis, 3.3). A row is drawn by switching each expert on or off
 * by itself, by placing those that are on, and then each column by the template that they compose there. Immutable.
 */
export class PlacedExperts implements PlacedParts {
  readonly experts: Experts;
  readonly places: Places;
  readonly placement: Placement;
  #spread: Experts | null = null;

  /** @throws RangeError where the parts are of other numbers of columns, experts or axes */
  constructor({ experts, places, placement }: PlacedParts) {
    if (places.dimensions !== experts.dimensions || placement.experts !== experts.count)
      throw new RangeError('places or a placement of other experts');
    if (places.most.join() !== placement.most.join()) throw new RangeError('a placement of other axes');
    this.experts = experts;
    this.places = places;
    this.placement = placement;
  }

  /** Every expert at every place, as an expert of its own: `expert * T + place`. */
  get spread(): Experts {
    this.#spread ??= this.#spreadOut();
    return this.#spread;
  }

  /** log P of these places, nats, given that these experts are active. @param set ascending */
  natsOfPlaces(set: readonly number[], places: readonly number[]): number {
    return this.placement.of(set).nats(places.flatMap((place) => [...this.places.of(place)]));
  }

  #spreadOut(): Experts {
    const { experts, places } = this;
    if (places.count === 1) return experts;
    const { dimensions, count, abstaining } = experts;
    const rates = new Float64Array(count * places.count * dimensions);
    let at = 0;
    for (let expert = 0; expert < count; expert++) {
      const template = experts.template(expert);
      for (const source of places.sources) rates[at++] = source < 0 ? abstaining : template[source]!;
    }
    const active = Float64Array.from({ length: count * places.count }, (_, own) => {
      return experts.active[Math.floor(own / places.count)]!;
    });
    return new Experts({ ...experts.parts(), active, rates });
  }
}
