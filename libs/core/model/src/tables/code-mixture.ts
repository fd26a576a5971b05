import { log } from '@orchard/numerics';
import type { CodeDistribution, SaidOfCode } from './exact-table-model.js';

/**
 * Rows of codes as a mixture of products: a component is drawn by its weight, and each variable by itself from what the
 * component says of it. All answers are sums over the components, O(components) a code.
 */
export class CodeMixture implements CodeDistribution {
  readonly ordering: Uint32Array;
  /** P(component | what was said). */
  readonly #posterior: Float64Array;
  #said: readonly SaidOfCode[];

  /**
   * @param weights P(component), which sum to 1
   * @param chances of each variable P(code | component): `chances[variable][code * components + component]`
   */
  constructor(
    private readonly weights: Float64Array,
    private readonly chances: readonly Float64Array[],
  ) {
    this.ordering = Uint32Array.from(chances.keys());
    this.#posterior = weights.slice();
    this.#said = chances.map(() => null);
  }

  /** log P(code | the codes before it). */
  addCells(columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void {
    const rows = columns[0]!.length;
    const posterior = new Float64Array(this.weights.length);
    for (let row = 0; row < rows; row++) {
      posterior.set(this.weights);
      for (let index = 0; index < columns.length; index++) {
        const at = are === 'sums' ? row : row * columns.length + index;
        cells[at]! += log(this.#take(index, columns[index]![row]!, posterior));
      }
    }
  }

  distributionInto(index: number, codes: ArrayLike<number>, probabilities: Float64Array, offset: number): void {
    const posterior = this.weights.slice();
    for (let before = 0; before < index; before++) this.#take(before, codes[before]!, posterior);
    const own = this.chances[index]!;
    for (let at = 0, code = offset; at < own.length; at += posterior.length, code++)
      probabilities[code] = posterior.reduce((sum, share, component) => sum + share * own[at + component]!, 0);
  }

  condition(said: readonly SaidOfCode[]): number {
    this.#said = said;
    this.#posterior.set(this.weights);
    let nats = 0;
    said.forEach((own, index) => {
      if (typeof own === 'number') nats += log(this.#take(index, own, this.#posterior));
      else if (own !== null) nats += log(scaled(this.#posterior, this.#allowedOf(index, own)));
    });
    return nats;
  }

  /** One number is taken for the component, and one a variable. */
  drawInto(codes: Uint16Array, uniform: () => number): void {
    const components = this.weights.length;
    const component = drawnAt(components, uniform(), (at) => this.#posterior[at]!);
    this.chances.forEach((own, index) => {
      const said = this.#said[index]!;
      const number = uniform();
      codes[index] =
        typeof said === 'number'
          ? said
          : drawnAt(own.length / components, number, (code) => {
              const chance = own[code * components + component]!;
              return said === null ? chance : chance * said[code]!;
            });
    });
  }

  marginalsInto(probabilities: readonly Float64Array[], offsets: ArrayLike<number>): void {
    const components = this.weights.length;
    this.chances.forEach((own, index) => {
      const into = probabilities[index]!;
      const from = offsets[index]!;
      const said = this.#said[index]!;
      const codes = own.length / components;
      into.fill(0, from, from + codes);
      if (typeof said === 'number') {
        into[from + said] = 1;
        return;
      }
      // what is allowed of a component's codes sums to one
      const shares = this.#posterior.slice();
      if (said !== null) {
        const allowed = this.#allowedOf(index, said);
        shares.forEach((share, component) => {
          shares[component] = share === 0 ? 0 : share / allowed[component]!;
        });
      }
      for (let code = 0; code < codes; code++) {
        let sum = 0;
        for (let component = 0; component < components; component++)
          sum += shares[component]! * own[code * components + component]!;
        into[from + code] = said === null ? sum : sum * said[code]!;
      }
    });
  }

  /** Mutual information of two variables, nats, what is known of others left out. */
  information(one: number, other: number): number {
    const { weights } = this;
    const [ofOne, ofOther] = [this.chances[one]!, this.chances[other]!];
    const sumOf = (from: number, own: Float64Array): number =>
      weights.reduce((sum, weight, component) => sum + weight * own[from + component]!, 0);
    const rates = Array.from({ length: ofOther.length / weights.length }, (_, code) =>
      sumOf(code * weights.length, ofOther),
    );
    let nats = 0;
    for (let from = 0; from < ofOne.length; from += weights.length) {
      const joined = weights.map((weight, component) => weight * ofOne[from + component]!);
      const rate = joined.reduce((sum, share) => sum + share, 0);
      rates.forEach((otherRate, code) => {
        let joint = 0;
        for (let component = 0; component < joined.length; component++)
          joint += joined[component]! * ofOther[code * joined.length + component]!;
        nats += joint * log(joint / (rate * otherRate));
      });
    }
    // two that are independent are so but for rounding
    return Math.max(0, nats);
  }

  /** P(code | what the shares come from), which are then those given the code too. */
  #take(index: number, code: number, shares: Float64Array): number {
    const from = code * shares.length;
    return scaled(shares, this.chances[index]!.subarray(from, from + shares.length));
  }

  /** P(a code that is allowed | component). */
  #allowedOf(index: number, weights: ArrayLike<number>): Float64Array {
    const allowed = new Float64Array(this.weights.length);
    this.chances[index]!.forEach((chance, at) => {
      allowed[at % allowed.length]! += chance * weights[Math.floor(at / allowed.length)]!;
    });
    return allowed;
  }
}

/** Multiplies shares, and makes them sum to 1 again where they do not sum to 0. @returns what they summed to */
function scaled(shares: Float64Array, factors: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < shares.length; at++) {
    const share = shares[at]! * factors[at]!;
    shares[at] = share;
    sum += share;
  }
  if (sum > 0) for (let at = 0; at < shares.length; at++) shares[at]! /= sum;
  return sum;
}

/** The first place whose weights, summed up to it, pass a share of all. @param number in [0, 1) */
function drawnAt(count: number, number: number, weightOf: (at: number) => number): number {
  let total = 0;
  for (let at = 0; at < count; at++) total += weightOf(at);
  let rest = number * total;
  let taken = 0;
  for (let at = 0; at < count; at++) {
    const weight = weightOf(at);
    if (weight > 0) taken = at;
    if (rest < weight) break;
    rest -= weight;
  }
  return taken;
}
