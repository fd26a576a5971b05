import { exp, log, sumOf } from '@orchard/numerics';
import type { CodeDistribution, SaidOfCode } from './exact-table-model.js';

/**
 * Rows of codes as a mixture of products: a component is drawn by its weight, and each variable by itself from what the
 * component says of it. All answers are sums over the components, O(components) a code.
 */
export class CodeMixture implements CodeDistribution {
  readonly ordering: Uint32Array;
  /** P(component | what was said). */
  readonly #posterior: Posterior;
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
    this.#posterior = new Posterior(weights);
    this.#said = chances.map(() => null);
  }

  /** log P(code | the codes before it). */
  addCells(columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void {
    const rows = columns[0]!.length;
    const posterior = new Posterior(this.weights);
    for (let row = 0; row < rows; row++) {
      posterior.begin();
      for (let index = 0; index < columns.length; index++) {
        const at = are === 'sums' ? row : row * columns.length + index;
        cells[at]! += log(this.#take(index, columns[index]![row]!, posterior));
      }
    }
  }

  distributionInto(index: number, codes: ArrayLike<number>, probabilities: Float64Array, offset: number): void {
    const posterior = new Posterior(this.weights);
    for (let before = 0; before < index; before++) this.#take(before, codes[before]!, posterior);
    const { shares } = posterior;
    const own = this.chances[index]!;
    for (let at = 0, code = offset; at < own.length; at += shares.length, code++)
      probabilities[code] = shares.reduce((sum, share, component) => sum + share * own[at + component]!, 0);
  }

  condition(said: readonly SaidOfCode[]): number {
    this.#said = said;
    this.#posterior.begin();
    let nats = 0;
    said.forEach((own, index) => {
      if (typeof own === 'number') nats += log(this.#take(index, own, this.#posterior));
      else if (own !== null) nats += log(this.#posterior.take(this.#allowedOf(index, own)));
    });
    return nats;
  }

  /** One number is taken for the component, and one a variable. */
  drawInto(codes: Uint16Array, uniform: () => number): void {
    const components = this.weights.length;
    const component = drawnAt(components, uniform(), (at) => this.#posterior.shares[at]!);
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
      const shares = this.#posterior.shares.slice();
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
    const rateAt = (from: number, own: Float64Array): number =>
      weights.reduce((sum, weight, component) => sum + weight * own[from + component]!, 0);
    const rates = Array.from({ length: ofOther.length / weights.length }, (_, code) =>
      rateAt(code * weights.length, ofOther),
    );
    let nats = 0;
    for (let from = 0; from < ofOne.length; from += weights.length) {
      const joined = weights.map((weight, component) => weight * ofOne[from + component]!);
      const rate = sumOf(joined);
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
  #take(index: number, code: number, posterior: Posterior): number {
    const from = code * this.weights.length;
    return posterior.take(this.chances[index]!.subarray(from, from + this.weights.length));
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

/** Below it a share is kept as its logarithm too: what is still to come may say the opposite. */
const SMALL = 1e-150;

/** P(component | what was taken so far). */
class Posterior {
  readonly shares: Float64Array;
  /** Logarithms of the shares, once one of them is small; null before. */
  #logs: Float64Array | null = null;

  constructor(private readonly weights: Float64Array) {
    this.shares = weights.slice();
  }

  /** Nothing is taken yet. */
  begin(): void {
    this.shares.set(this.weights);
    this.#logs = null;
  }

  /**
   * Multiplies shares, and makes them sum to 1 again where they do not sum to 0.
   *
   * @returns what they summed to
   */
  take(factors: Float64Array): number {
    const { shares } = this;
    if (this.#logs !== null) return this.#takeLogs(this.#logs, factors);
    let sum = 0;
    let isSmall = false;
    for (let at = 0; at < shares.length; at++) {
      const share = shares[at]! * factors[at]!;
      if (share < SMALL && factors[at]! > 0) isSmall = true;
      sum += share;
    }
    if (isSmall) {
      this.#logs = shares.map(log);
      return this.#takeLogs(this.#logs, factors);
    }
    for (let at = 0; at < shares.length; at++) shares[at]! *= factors[at]!;
    if (sum > 0) for (let at = 0; at < shares.length; at++) shares[at]! /= sum;
    return sum;
  }

  #takeLogs(logs: Float64Array, factors: Float64Array): number {
    let highest = -Infinity;
    for (let at = 0; at < logs.length; at++) {
      logs[at]! += log(factors[at]!);
      highest = Math.max(highest, logs[at]!);
    }
    if (highest === -Infinity) {
      this.shares.fill(0);
      return 0;
    }
    const sum = logs.reduce((all, nats) => all + exp(nats - highest), 0);
    const total = highest + log(sum);
    for (let at = 0; at < logs.length; at++) {
      logs[at]! -= total;
      this.shares[at] = exp(logs[at]!);
    }
    return exp(total);
  }
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
