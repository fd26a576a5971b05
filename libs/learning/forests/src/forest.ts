import type { BitMatrix } from '@orchard/dataset';
import { exp, log } from '@orchard/numerics';

/** Rows of bits that are read or written. */
export type Bits = Pick<BitMatrix, 'bytes' | 'stride'>;

/** Below this a message is scaled up, so that those of many children do not underflow. */
const SMALL = 1e-150;

/**
 * A distribution of binary columns whose dependences are a forest: each column given its parent, P(x) = ∏ P(x_c |
 * x_parent(c)). Of a row in which any columns are known it answers exactly by one pass up, from the leaves to the
 * roots, and one down: how probable the known values are, each unknown one's distribution, draws, and the most probable
 * values. O(columns) a row.
 *
 * Columns are named by their number in the rows; `parents` and `rates` go by place in `columns`. It writes only to
 * columns of its own.
 */
export class Forest {
  /** Places, parents before their children. */
  readonly #order: Uint32Array;
  /** The column of each place's parent; of a root its own, whose rates are the same after 0 and 1. */
  readonly #given: Uint32Array;
  /**
   * log P(value | parent's value): element `4 * place + 2 * parent + value`. Made when first asked for: learning asks
   * for none.
   */
  #logs: Float64Array | null = null;
  /** Of the pass up: how probable what is known at and below a place is, given its value; up to a factor. */
  readonly #below: Float64Array;
  /**
   * Of the pass up: logarithms of what was taken out of {@link #below} so far, of values that became improbable beside
   * the other.
   */
  readonly #taken: Float64Array;

  /**
   * @param columns distinct
   * @param parents the place of each place's parent, -1 of a root
   * @param rates P(1 | parent is 0) and P(1 | parent is 1) of each place, strictly between 0 and 1; of a root twice the
   *   same
   * @throws RangeError where parents go round, or rates are none
   */
  constructor(
    readonly columns: Uint32Array,
    readonly parents: Int32Array,
    readonly rates: Float64Array,
  ) {
    const places = columns.length;
    this.#order = orderOf(parents);
    this.#given = new Uint32Array(places);
    for (let place = 0; place < places; place++) {
      const parent = parents[place]!;
      this.#given[place] = columns[parent < 0 ? place : parent]!;
    }
    for (let at = 0; at < rates.length; at++)
      if (!(rates[at]! > 0 && rates[at]! < 1))
        throw new RangeError(`a rate is between 0 and 1, got ${String(rates[at])}`);
    this.#below = new Float64Array(2 * places);
    this.#taken = new Float64Array(2 * places);
  }

  get size(): number {
    return this.columns.length;
  }

  /** log P of a row's values, nats. @param values 0 or 1 of each column of the rows */
  logProbability(values: Uint8Array): number {
    const { columns } = this;
    const logs = this.#logsOfRates();
    const given = this.#given;
    let sum = 0;
    for (let place = 0; place < columns.length; place++)
      sum += logs[4 * place + 2 * values[given[place]!]! + values[columns[place]!]!]!;
    return sum;
  }

  /** log P(value | parent's value) of each column of a row, nats: to `cells[offset + column]`. */
  cellsInto(values: Uint8Array, cells: Float64Array, offset: number): void {
    const { columns } = this;
    const logs = this.#logsOfRates();
    for (let place = 0; place < columns.length; place++)
      cells[offset + columns[place]!] = logs[4 * place + 2 * values[this.#given[place]!]! + values[columns[place]!]!]!;
  }

  /** log P(known values) of a row, nats: 0 where nothing is known. */
  logEvidence(values: Bits, known: Bits, row: number): number {
    return this.#passUp(values, known, row, plus);
  }

  /**
   * Draws what is unknown of a row, given what is known, into it.
   *
   * @param uniform the next random number in [0, 1): as many are asked for as there are columns, whatever is known
   * @returns log P(known values)
   */
  drawInto(values: Bits, known: Bits, row: number, uniform: () => number): number {
    const evidence = this.#passUp(values, known, row, plus);
    for (const place of this.#order) {
      const number = uniform();
      const column = this.columns[place]!;
      if (bitOf(known, row, column) === 1) continue;
      const isOne = number < this.#rateOf(place, this.#valueOfParent(values, row, place));
      setBit(values, row, column, isOne);
    }
    return evidence;
  }

  /**
   * P(1) of each column of a row given what is known, 0 or 1 of what is: to `rates[offset + column]`.
   *
   * @returns log P(known values)
   */
  marginalsInto(values: Bits, known: Bits, row: number, rates: Float64Array, offset: number): number {
    const evidence = this.#passUp(values, known, row, plus);
    for (const place of this.#order) {
      const parent = this.parents[place]!;
      const rate = parent < 0 ? 0 : rates[offset + this.columns[parent]!]!;
      rates[offset + this.columns[place]!] =
        parent < 0 ? this.#rateOf(place, 0) : (1 - rate) * this.#rateOf(place, 0) + rate * this.#rateOf(place, 1);
    }
    return evidence;
  }

  /**
   * Fills in the most probable of all values that fit what is known; of equally probable ones zeros.
   *
   * @returns log P of the row then
   */
  mostProbableInto(values: Bits, known: Bits, row: number): number {
    const most = this.#passUp(values, known, row, Math.max);
    for (const place of this.#order) {
      const column = this.columns[place]!;
      if (bitOf(known, row, column) === 1) continue;
      const rate = this.rates[2 * place + this.#valueOfParent(values, row, place)]!;
      setBit(values, row, column, rate * this.#below[2 * place + 1]! > (1 - rate) * this.#below[2 * place]!);
    }
    return most;
  }

  /** log P of the most probable row that fits what is known. */
  logMostProbable(values: Bits, known: Bits, row: number): number {
    return this.#passUp(values, known, row, Math.max);
  }

  /** Entropy in nats: of the columns alone, less the parents' mutual information. */
  entropy(): number {
    const last = this.columns.reduce((most, column) => Math.max(most, column), 0);
    const nothing = { bytes: new Uint8Array(last / 8 + 1), stride: 0 };
    const rates = new Float64Array(last + 1);
    this.marginalsInto({ ...nothing, bytes: nothing.bytes.slice() }, nothing, 0, rates, 0);
    const logs = this.#logsOfRates();
    let sum = 0;
    for (let place = 0; place < this.size; place++) {
      const parent = this.parents[place]!;
      const one = parent < 0 ? 0 : rates[this.columns[parent]!]!;
      for (const [share, at] of [
        [1 - one, 4 * place],
        [one, 4 * place + 2],
      ] as const) {
        const rate = this.rates[at / 2]!;
        sum -= share * (rate * logs[at + 1]! + (1 - rate) * logs[at]!);
      }
    }
    return sum;
  }

  #logsOfRates(): Float64Array {
    if (this.#logs !== null) return this.#logs;
    const { rates } = this;
    const logs = new Float64Array(2 * rates.length);
    for (let at = 0; at < rates.length; at++) {
      logs[2 * at] = log(1 - rates[at]!);
      logs[2 * at + 1] = log(rates[at]!);
    }
    this.#logs = logs;
    return logs;
  }

  /** The value of the parent, which is drawn already. */
  #valueOfParent(values: Bits, row: number, place: number): 0 | 1 {
    const parent = this.parents[place]!;
    return parent < 0 ? 0 : bitOf(values, row, this.columns[parent]!);
  }

  /** P(1 | parent's value, what is known below): after the pass up. */
  #rateOf(place: number, given: 0 | 1): number {
    const rate = this.rates[2 * place + given]!;
    const one = rate * this.#below[2 * place + 1]!;
    return one / (one + (1 - rate) * this.#below[2 * place]!);
  }

  /**
   * From the leaves to the roots: λ_c(x) = [x fits] ∏ over children Σ_y P(y | x) λ_child(y), with `join` for the sum
   * (or the maximum). What is scaled away comes back as its logarithm.
   */
  #passUp(values: Bits, known: Bits, row: number, join: (a: number, b: number) => number): number {
    const below = this.#below;
    const { columns, parents, rates } = this;
    const order = this.#order;
    below.fill(1);
    let evidence = 0;
    let pending = 1;
    let isTaken = false;
    for (let at = order.length - 1; at >= 0; at--) {
      const place = order[at]!;
      if (bitOf(known, row, columns[place]!) === 1) below[2 * place + 1 - bitOf(values, row, columns[place]!)] = 0;
      if (isTaken) evidence += this.#giveBack(place);
      const zero = below[2 * place]!;
      const one = below[2 * place + 1]!;
      const rate = rates[2 * place]!;
      const parent = parents[place]!;
      if (parent < 0) {
        pending *= join((1 - rate) * zero, rate * one);
      } else {
        const rateAtOne = rates[2 * place + 1]!;
        below[2 * parent]! *= join((1 - rate) * zero, rate * one);
        below[2 * parent + 1]! *= join((1 - rateAtOne) * zero, rateAtOne * one);
        const largest = Math.max(below[2 * parent]!, below[2 * parent + 1]!);
        if (largest < SMALL) {
          below[2 * parent]! /= largest;
          below[2 * parent + 1]! /= largest;
          evidence += log(largest);
        }
        // children that are still to come may say the opposite
        if (this.#take(2 * parent)) isTaken = true;
        if (this.#take(2 * parent + 1)) isTaken = true;
      }
      if (pending < SMALL) {
        evidence += log(pending);
        pending = 1;
      }
    }
    return evidence + log(pending);
  }

  /** Keeps a value that is about to underflow as its logarithm. */
  #take(at: number): boolean {
    const value = this.#below[at]!;
    if (value >= SMALL || value === 0) return false;
    this.#taken[at]! += log(value);
    this.#below[at] = 1;
    return true;
  }

  /**
   * Once all children of a place have spoken: what was taken out of its values, but for their common factor.
   *
   * @returns the factor's logarithm
   */
  #giveBack(place: number): number {
    const taken = this.#taken;
    const below = this.#below;
    const [zero, one] = [2 * place, 2 * place + 1];
    if (taken[zero] === 0 && taken[one] === 0) return 0;
    taken[zero]! += log(below[zero]!);
    taken[one]! += log(below[one]!);
    const largest = Math.max(taken[zero]!, taken[one]!);
    for (const at of [zero, one]) {
      below[at] = exp(taken[at]! - largest);
      taken[at] = 0;
    }
    return largest;
  }
}

function plus(a: number, b: number): number {
  return a + b;
}

/** Parents before children, roots in their order. @throws RangeError where that cannot be */
function orderOf(parents: Int32Array): Uint32Array {
  // of each place its first child, and behind it its parent's next one
  const child = new Int32Array(parents.length).fill(-1);
  const next = new Int32Array(parents.length).fill(-1);
  const order = new Uint32Array(parents.length);
  let found = 0;
  for (let place = 0; place < parents.length; place++) {
    const parent = parents[place]!;
    if (parent < 0) order[found++] = place;
    else if (parent >= parents.length) throw new RangeError(`the parent of ${String(place)} is ${String(parent)}`);
  }
  for (let place = parents.length - 1; place >= 0; place--) {
    const parent = parents[place]!;
    if (parent < 0) continue;
    next[place] = child[parent]!;
    child[parent] = place;
  }
  for (let at = 0; at < found; at++)
    for (let place = child[order[at]!]!; place >= 0; place = next[place]!) order[found++] = place;
  if (found < parents.length) throw new RangeError('parents go round in a circle');
  return order;
}

function bitOf({ bytes, stride }: Bits, row: number, column: number): 0 | 1 {
  return ((bytes[row * stride + (column >> 3)]! >> (7 - (column & 7))) & 1) as 0 | 1;
}

function setBit({ bytes, stride }: Bits, row: number, column: number, isOne: boolean): void {
  const at = row * stride + (column >> 3);
  const bit = 0x80 >> (column & 7);
  if (isOne) bytes[at]! |= bit;
  else bytes[at]! &= ~bit;
}
