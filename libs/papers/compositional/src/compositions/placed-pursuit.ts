import { log, logSumExp } from '@orchard/numerics';
import { logOdds, type Composing } from './composed.js';
import { composedBy } from './composed-of-votes.js';
import type { PlacedExperts } from './placed-experts.js';

/** Which experts are active, ascending, and where. */
export interface Configuration {
  readonly experts: readonly number[];
  readonly places: readonly number[];
}

export interface PlacedExplanation extends Configuration {
  /** log P(row | these experts there), nats. */
  readonly nats: number;
}

/** Moves after the pursuit, at most. */
const MOST_MOVES = 8;
/** What is less likely than the likeliest by so many nats is left out of the sum, which stays a lower bound. */
const NEGLIGIBLE = 40;

/** What is tried in a row: a configuration, and what it and the row have together. */
interface Tried extends Configuration {
  readonly joint: number;
}

/**
 * Likelihood matching pursuit over experts and places (thesis, 3.2 and 3.3). An expert counts by how often it is
 * active, and a place by how probable it is beside those of the others. A search costs K T D.
 */
export class PlacedPursuit {
  readonly #composed: Composing;
  readonly #truncated: Composing;
  readonly #odds: Float64Array;
  /** log P(no expert is active). */
  readonly #nobody: number;

  constructor(readonly placed: PlacedExperts) {
    const { experts, spread } = placed;
    const seen = spread.truncated();
    this.#composed = composedBy(spread);
    this.#truncated = seen === spread ? this.#composed : composedBy(seen);
    this.#odds = experts.active.map(logOdds);
    this.#nobody = experts.active.reduce((sum, share) => sum + log(1 - share), 0);
  }

  /** The template of the explanation that was found last. */
  get composed(): Composing {
    return this.#composed;
  }

  /** @param values 0 or 1 of each column */
  explain(values: Uint8Array): PlacedExplanation {
    const { experts, places } = this.#pursue(values);
    this.#compose(this.#composed, { experts, places });
    return { experts, places, nats: this.#composed.nats(values) };
  }

  /**
   * A lower bound of log P(row), nats. The pursuit's configuration takes another state of one expert (absent, present,
   * or elsewhere) as long as that makes row and configuration likelier. Then what the row has together with it, and
   * with every configuration that differs from it in one expert, is summed: K T + 1 terms of (T + 1)^K.
   */
  bound(values: Uint8Array): number {
    let own = this.#pursue(values);
    for (let moves = 0; ; moves++) {
      this.#compose(this.#composed, own);
      const joint = this.#composed.nats(values) + this.#prior(own);
      const terms = [joint];
      const best = this.#searchAround(own, values, joint, terms);
      if (best === null || moves === MOST_MOVES) return logSumExp(terms);
      own = best;
    }
  }

  /** One expert after another, by what the pursuit may see of the templates. */
  #pursue(values: Uint8Array): Configuration {
    let own: Configuration = { experts: [], places: [] };
    let highest = -Infinity;
    for (;;) {
      this.#compose(this.#truncated, own);
      let best: Tried | null = null;
      for (let expert = 0; expert < this.#odds.length; expert++) {
        if (own.experts.includes(expert)) continue;
        const found = this.#search(this.#truncated, own, expert, values, highest, null);
        if (found !== null) {
          best = found;
          highest = found.joint;
        }
      }
      if (best === null) return own;
      own = best;
    }
  }

  /** The likeliest other state of one expert, or null where none is likelier. @param terms what all of them have */
  #searchAround(own: Configuration, values: Uint8Array, joint: number, terms: number[]): Configuration | null {
    let best: Tried | null = null;
    let highest = joint;
    for (let expert = 0; expert < this.#odds.length; expert++) {
      const at = own.experts.indexOf(expert);
      const rest = at < 0 ? own : { experts: own.experts.toSpliced(at, 1), places: own.places.toSpliced(at, 1) };
      this.#compose(this.#composed, rest);
      if (at >= 0) {
        const without = this.#composed.nats(values) + this.#prior(rest);
        terms.push(without);
        if (without > highest) {
          best = { ...rest, joint: without };
          highest = without;
        }
      }
      const found = this.#search(this.#composed, rest, expert, values, highest, { terms, but: own.places[at] ?? -1 });
      if (found !== null) {
        best = found;
        highest = found.joint;
      }
    }
    return best;
  }

  /**
   * The place of one expert more that makes row and configuration likeliest, or null where none is above `highest`.
   *
   * @param summed where what each place has is listed, and the place that is not
   */
  #search(
    composed: Composing,
    rest: Configuration,
    expert: number,
    values: Uint8Array,
    highest: number,
    summed: { readonly terms: number[]; readonly but: number } | null,
  ): Tried | null {
    const { places, placement } = this.placed;
    const at = rest.experts.filter((other) => other < expert).length;
    const experts = rest.experts.toSpliced(at, 0, expert);
    const set = placement.of(experts);
    const axes = places.most.length;
    const coordinates = new Float64Array(experts.length * axes);
    rest.places.forEach((place, other) => {
      coordinates.set(places.of(place), (other < at ? other : other + 1) * axes);
    });
    let prior = this.#nobody;
    for (const own of experts) prior += this.#odds[own]!;
    let best = -1;
    for (let place = 0; place < places.count; place++) {
      if (place === summed?.but) continue;
      const nats = composed.natsWith(expert * places.count + place, values) + prior;
      // a place is never more probable than 1
      const isNeeded = nats > highest || (summed !== null && nats > highest - NEGLIGIBLE);
      if (!isNeeded) continue;
      coordinates.set(places.of(place), at * axes);
      const joint = nats + set.nats(coordinates);
      summed?.terms.push(joint);
      if (joint > highest) {
        best = place;
        highest = joint;
      }
    }
    return best < 0 ? null : { experts, places: rest.places.toSpliced(at, 0, best), joint: highest };
  }

  #compose(composed: Composing, { experts, places }: Configuration): void {
    composed.clear();
    experts.forEach((expert, at) => {
      composed.add(expert * this.placed.places.count + places[at]!);
    });
  }

  #prior({ experts, places }: Configuration): number {
    let prior = this.#nobody + this.placed.natsOfPlaces(experts, places);
    for (const expert of experts) prior += this.#odds[expert]!;
    return prior;
  }
}
