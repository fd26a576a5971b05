import { log } from '@orchard/numerics';
import { Composed, type Composing } from './composed.js';
import type { Experts } from './experts.js';
import { isVoteRule, Tally, type VoteRule } from './tally.js';

/** Probabilities whose product is made before its logarithm: none is below 2^-50. */
const FACTORS = 15;

/** No expert yet, by the rule that they are composed by. */
export function composedBy(experts: Experts): Composing {
  const { composition } = experts;
  return isVoteRule(composition) ? new ComposedOfVotes(experts, composition) : new Composed(experts);
}

/** The template of a set of experts that all have a say, which grows by one at a time. */
export class ComposedOfVotes implements Composing {
  readonly #columns: readonly Tally[];

  constructor(
    readonly experts: Experts,
    rule: VoteRule,
  ) {
    this.#columns = Array.from({ length: experts.dimensions }, () => new Tally(rule, experts.abstaining));
  }

  clear(): void {
    for (const column of this.#columns) column.clear();
  }

  copy(from: ComposedOfVotes): void {
    this.#columns.forEach((column, dim) => {
      column.copy(from.#columns[dim]!);
    });
  }

  add(expert: number): void {
    const template = this.experts.template(expert);
    this.#columns.forEach((column, dim) => {
      column.add(template[dim]!);
    });
  }

  ratesInto(rates: Float64Array, offset = 0): void {
    this.#columns.forEach(({ rate }, dim) => {
      rates[offset + dim] = rate;
    });
  }

  nats(values: Uint8Array): number {
    return natsOf(values, (dim) => this.#columns[dim]!.rate);
  }

  natsWith(expert: number, values: Uint8Array): number {
    const template = this.experts.template(expert);
    return natsOf(values, (dim) => this.#columns[dim]!.with(template[dim]!));
  }
}

function natsOf(values: Uint8Array, rateOf: (dim: number) => number): number {
  let nats = 0;
  let product = 1;
  for (let dim = 0; dim < values.length; dim++) {
    const rate = rateOf(dim);
    product *= values[dim] === 1 ? rate : 1 - rate;
    if (dim % FACTORS === FACTORS - 1) {
      nats += log(product);
      product = 1;
    }
  }
  return nats + log(product);
}
