import type { CountedRows } from '@orchard/dataset';
import { climbNetwork, withParent, type NetworkSize } from '@orchard/forests';
import { log, placeOfGreatest, sumOf } from '@orchard/numerics';
import { lineOf, type DecisionTables } from './decision-tables.js';

/** How much a network may hold, and how far its tables are held back. */
export interface NetworkOptions extends NetworkSize {
  /**
   * Rows of all training rows together that are added to those that it is fitted to, spread over the lines of each
   * table.
   */
  readonly pseudoCount: number;
}

/**
 * A change gains more than this, as a share of the rows' weight: reversals of an edge that tells the same both ways
 * gain what rounding does.
 */
const LEAST_GAIN = 1e-9;
/** Of a table: no row is impossible. */
const SMALLEST_RATE = 2 ** -50;

/**
 * Learns Bayesian networks of the same rows under other and other weights, by greedy hill climbing (`climbNetwork`) by
 * the rows' weighted likelihood.
 *
 * To count the gains of a column anew takes of each row an addition for each of its ones, and two logarithms for each
 * line and column.
 */
export class NetworkLearner {
  /** P(1) of each column in all rows alike. */
  readonly #rates: Float64Array;
  /** What another column (place) would gain a column (line) as one more parent, nats. */
  readonly #gains: Float64Array;
  /** Of each column, once it was asked: what it loses without one of its parents. */
  readonly #losses: readonly Map<number, number>[];
  /** Weight of the rows in which each column is 1, of the weights at hand. */
  readonly #sums: Float64Array;
  readonly #values: Uint8Array;
  /** Of each row the cell of a column's table that it is in, of the column at hand. */
  readonly #cells: Uint16Array;
  readonly #dimensions: number;

  constructor(
    private readonly train: CountedRows,
    private readonly options: NetworkOptions,
  ) {
    const { distinct, counts, rows, starts, columns } = train;
    this.#dimensions = distinct.dimensions;
    const ones = new Float64Array(this.#dimensions);
    this.#values = new Uint8Array(distinct.rows * this.#dimensions);
    for (let row = 0; row < distinct.rows; row++)
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        ones[columns[at]!]! += counts[row]!;
        this.#values[row * this.#dimensions + columns[at]!] = 1;
      }
    this.#rates = ones.map((count) => (count + 1) / (rows + 2));
    this.#gains = new Float64Array(this.#dimensions ** 2);
    this.#sums = new Float64Array(this.#dimensions);
    this.#cells = new Uint16Array(distinct.rows);
    this.#losses = Array.from(ones, () => new Map<number, number>());
  }

  /** @param weights of each distinct row, none negative */
  learn(weights: Float64Array): DecisionTables {
    const least = LEAST_GAIN * sumOf(weights);
    this.#sums.fill(0);
    const { starts, columns } = this.train;
    for (let row = 0; row < weights.length; row++)
      for (let at = starts[row]!; at < starts[row + 1]!; at++) this.#sums[columns[at]!]! += weights[row]!;
    const parents = climbNetwork(this.#dimensions, this.options, least, {
      gains: this.#gains,
      renew: (column, own) => {
        this.#losses[column]!.clear();
        this.#renewGains(column, own, weights);
      },
      lossOf: (column, parent, others) => this.#lossOf(column, parent, others, weights),
    });
    const rates = parents.map((own, column) => {
      const { zeros, ones } = this.#countTable(column, own, weights);
      return ones.map((one, line) => Math.min(1 - SMALLEST_RATE, Math.max(SMALLEST_RATE, one / (zeros[line]! + one))));
    });
    return { parents, rates };
  }

  /** What a column loses without one of its parents, which the others do not tell. */
  #lossOf(column: number, parent: number, others: Uint32Array, weights: Float64Array): number {
    const known = this.#losses[column]!.get(parent);
    if (known !== undefined) return known;
    const both = this.#countTable(column, withParent(others, parent), weights);
    const loss = logLikelihoodOf(both) - logLikelihoodOf(this.#countTable(column, others, weights));
    this.#losses[column]!.set(parent, loss);
    return loss;
  }

  #renewGains(column: number, parents: Uint32Array, weights: Float64Array): void {
    const { distinct, starts, columns } = this.train;
    const dimensions = this.#dimensions;
    const values = this.#values;
    const lines = 2 ** parents.length;
    // of each line and value of the column: the weight of all rows, and of those in which another column is 1
    const all = new Float64Array(2 * lines);
    const withOne = new Float64Array(2 * lines * dimensions);
    const cells = this.#cells;
    const sizes = new Uint32Array(2 * lines);
    for (let row = 0, start = 0; row < distinct.rows; row++, start += dimensions) {
      const cell = 2 * lineOf(parents, values, start) + values[start + column]!;
      cells[row] = cell;
      sizes[cell]!++;
      all[cell]! += weights[row]!;
    }
    // the cell of most rows has what the others leave of the sums of all
    const largest = placeOfGreatest(sizes);
    const rest = withOne.subarray(largest * dimensions, (largest + 1) * dimensions);
    for (let row = 0; row < distinct.rows; row++) {
      if (cells[row] === largest) continue;
      const weight = weights[row]!;
      const start = cells[row]! * dimensions;
      for (let at = starts[row]!; at < starts[row + 1]!; at++) withOne[start + columns[at]!]! += weight;
    }
    for (let other = 0; other < dimensions; other++) {
      let sum = 0;
      for (let at = other; at < withOne.length; at += dimensions) sum += withOne[at]!;
      rest[other] = Math.max(0, this.#sums[other]! - sum);
    }
    const [addedZero, addedOne] = this.#addedTo(column, lines);
    let before = 0;
    for (let cell = 0; cell < all.length; cell += 2)
      before += likelihoodOf(all[cell]! + addedZero, all[cell + 1]! + addedOne);
    for (let other = 0; other < dimensions; other++) {
      let sum = 0;
      for (let cell = 0, at = other; cell < all.length; cell += 2, at += 2 * dimensions) {
        const [zero, one] = [withOne[at]!, withOne[at + dimensions]!];
        sum += likelihoodOf(zero + addedZero / 2, one + addedOne / 2);
        // rounding may leave less than nothing of a difference of sums
        const [zeroBeside, oneBeside] = [Math.max(0, all[cell]! - zero), Math.max(0, all[cell + 1]! - one)];
        sum += likelihoodOf(zeroBeside + addedZero / 2, oneBeside + addedOne / 2);
      }
      const isOpen = other !== column && !parents.includes(other);
      this.#gains[column * dimensions + other] = isOpen ? sum - before : 0;
    }
  }

  #countTable(column: number, parents: Uint32Array, weights: Float64Array): Table {
    const dimensions = this.#dimensions;
    const lines = 2 ** parents.length;
    const [addedZero, addedOne] = this.#addedTo(column, lines);
    const zeros = new Float64Array(lines).fill(addedZero);
    const ones = new Float64Array(lines).fill(addedOne);
    for (let row = 0, start = 0; row < weights.length; row++, start += dimensions)
      (this.#values[start + column] === 1 ? ones : zeros)[lineOf(parents, this.#values, start)]! += weights[row]!;
    return { zeros, ones };
  }

  /**
   * Pseudo-rows of each line of a column's table, with the column 0 and 1: as many in each, in which it is 1 as often
   * as in all rows.
   */
  #addedTo(column: number, lines: number): readonly [number, number] {
    const added = this.options.pseudoCount / lines;
    return [added * (1 - this.#rates[column]!), added * this.#rates[column]!];
  }
}

/** Of each line of a column's table the weight with the column 0 and 1. */
interface Table {
  readonly zeros: Float64Array;
  readonly ones: Float64Array;
}

function logLikelihoodOf({ zeros, ones }: Table): number {
  return ones.reduce((sum, one, line) => sum + likelihoodOf(zeros[line]!, one), 0);
}

function likelihoodOf(zero: number, one: number): number {
  return zero * log(zero / (zero + one)) + one * log(one / (zero + one));
}
