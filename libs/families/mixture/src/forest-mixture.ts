import type { BitMatrix } from '@orchard/dataset';
import type { Forest } from '@orchard/forests';
import { MixedRates, type RowDistribution } from '@orchard/model';
import { exp, log, logSumExp, sumOf } from '@orchard/numerics';

/** How far from 1 the weights may sum by the rounding of their making. */
const ROUNDING = 1e-9;

/**
 * P(x) = Σ w_k P_k(x), each P_k a forest of all columns; one without edges is a product. What is known of a row says
 * how probable each component is given it, and each component answers exactly: so does their mean. O(components x
 * columns) a row.
 */
export class ForestMixture implements RowDistribution {
  readonly #logWeights: Float64Array;
  /** Of the row at hand: log (w_k P_k(what is known)), then P(component k | what is known). */
  readonly #shares: Float64Array;
  /** What a row of which nothing is known says, which samples ask for as often as there are rows. */
  #ofNothing: { readonly evidence: number; readonly shares: Float64Array } | null = null;

  /**
   * @param weights positive, 1 in all
   * @param components each of all columns, in their order
   * @throws RangeError where weights do not make a distribution, or fit the components
   */
  constructor(
    readonly weights: Float64Array,
    readonly components: readonly Forest[],
  ) {
    if (weights.length !== components.length || weights.length === 0)
      throw new RangeError(`${String(weights.length)} weights of ${String(components.length)} components`);
    const sum = sumOf(weights);
    if (!weights.every((weight) => weight > 0) || !(Math.abs(sum - 1) < ROUNDING))
      throw new RangeError(`weights are positive and sum to 1, got ${String(sum)} in all`);
    this.#logWeights = weights.map(log);
    this.#shares = new Float64Array(weights.length);
  }

  /** Whether no component has an edge. */
  get isOfProducts(): boolean {
    return this.components.every(({ parents }) => parents.every((parent) => parent < 0));
  }

  logProbability(values: Uint8Array): number {
    return this.#weigh((component) => component.logProbability(values));
  }

  /**
   * What the components say of each column, by how probable each component is given the row, scaled so that the sum is
   * the row's: unscaled it lacks the row's information about the components, which no column has caused alone.
   */
  cellsInto(values: Uint8Array, cells: Float64Array, offset: number): void {
    const whole = this.logProbability(values);
    const columns = values.length;
    const own = new Float64Array(columns);
    cells.fill(0, offset, offset + columns);
    this.components.forEach((component, k) => {
      const share = this.#shares[k]!;
      if (share === 0) return;
      component.cellsInto(values, own, 0);
      for (let column = 0; column < columns; column++) cells[offset + column]! += share * own[column]!;
    });
    let sum = 0;
    for (let column = 0; column < columns; column++) sum += cells[offset + column]!;
    for (let column = 0; column < columns; column++) cells[offset + column]! *= whole / sum;
  }

  /** Of each column the mean of the components' rates, by how probable each holds the rest of the row. */
  ratesInto(values: Uint8Array, rates: Float64Array, offset: number): void {
    this.logProbability(values);
    const own = new Float64Array(values.length);
    const mixed = new MixedRates(values.length);
    this.components.forEach((component, k) => {
      component.cellsInto(values, own, 0);
      own.forEach((nats, column) => {
        const value = values[column]!;
        mixed.add(column, this.#shares[k]!, value === 1 ? exp(nats) : 1 - exp(nats), value);
      });
    });
    rates.set(mixed.rates(), offset);
  }

  logEvidence(values: BitMatrix, known: BitMatrix, row: number): number {
    const { stride } = known;
    const isAsked = known.bytes.subarray(row * stride, (row + 1) * stride).some((byte) => byte !== 0);
    if (!isAsked && this.#ofNothing !== null) {
      this.#shares.set(this.#ofNothing.shares);
      return this.#ofNothing.evidence;
    }
    const evidence = this.#weigh((component) => component.logEvidence(values, known, row));
    if (!isAsked) this.#ofNothing = { evidence, shares: this.#shares.slice() };
    return evidence;
  }

  /** First the component, by how probable each is given what is known, then its columns. */
  drawInto(values: BitMatrix, known: BitMatrix, row: number, uniform: () => number): number {
    const evidence = this.logEvidence(values, known, row);
    const last = this.components.length - 1;
    let rest = uniform();
    let chosen = 0;
    while (chosen < last && rest >= this.#shares[chosen]!) rest -= this.#shares[chosen++]!;
    // what rounding leaves over is not a reason to choose what cannot be
    while (chosen > 0 && this.#shares[chosen] === 0) chosen--;
    this.components[chosen]!.drawInto(values, known, row, uniform);
    return evidence;
  }

  marginalsInto(values: BitMatrix, known: BitMatrix, row: number, rates: Float64Array, offset: number): number {
    const evidence = this.logEvidence(values, known, row);
    const columns = values.dimensions;
    const own = new Float64Array(columns);
    rates.fill(0, offset, offset + columns);
    this.components.forEach((component, k) => {
      const share = this.#shares[k]!;
      if (share === 0) return;
      component.marginalsInto(values, known, row, own, 0);
      for (let column = 0; column < columns; column++) rates[offset + column]! += share * own[column]!;
    });
    // shares sum to one but for rounding, and what is known is known
    for (let column = 0; column < columns; column++) {
      const at = offset + column;
      rates[at] = known.get(row, column) === 1 ? values.get(row, column) : Math.min(1, rates[at]!);
    }
    return evidence;
  }

  /** Leaves P(component | what `logOf` speaks of) in the shares. @returns log Σ w_k P_k */
  #weigh(logOf: (component: Forest) => number): number {
    const shares = this.#shares;
    this.components.forEach((component, k) => {
      shares[k] = this.#logWeights[k]! + logOf(component);
    });
    const total = logSumExp(shares);
    for (let k = 0; k < shares.length; k++) shares[k] = exp(shares[k]! - total);
    return total;
  }
}
