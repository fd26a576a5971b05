import type { BitMatrix } from '@orchard/dataset';
import { log } from '@orchard/numerics';

/**
 * log P of many rows under products of columns, a product after the other: the 256 sums of each eight columns are made
 * first, so that a row costs D / 8 additions. A row's sum is the same bits in any block of rows.
 */
export class ProductLogs {
  readonly #bytes: number;
  /** Of each product and eight columns: log P of all eight 0. */
  readonly #zeros: Float64Array;
  /** Log-odds of each product and column; columns that are not there have 0. */
  readonly #odds: Float64Array;
  /** Of the product at hand: element `256 * byte + value`. */
  readonly #sums: Float64Array;

  /** @param rates P(1) of column d under product k: `rates[k * dimensions + d]`, strictly between 0 and 1 */
  constructor(
    readonly products: number,
    dimensions: number,
    rates: Float64Array,
  ) {
    this.#bytes = Math.ceil(dimensions / 8);
    this.#zeros = new Float64Array(products * this.#bytes);
    this.#odds = new Float64Array(8 * products * this.#bytes);
    this.#sums = new Float64Array(256 * this.#bytes);
    for (let product = 0, at = 0; product < products; product++)
      for (let dim = 0; dim < dimensions; dim++, at++) {
        const byte = product * this.#bytes + (dim >> 3);
        const zero = log(1 - rates[at]!);
        this.#zeros[byte]! += zero;
        this.#odds[8 * byte + (dim & 7)] = log(rates[at]!) - zero;
      }
  }

  /**
   * Of `count` rows from `first` on, to `logs[to]` and on.
   *
   * @param added to each: the logarithm of the product's weight
   */
  logsInto(
    product: number,
    rows: BitMatrix,
    first: number,
    count: number,
    added: number,
    logs: Float64Array,
    to: number,
  ): void {
    this.#prepare(product);
    const { stride, bytes } = rows;
    const sums = this.#sums;
    const width = this.#bytes;
    let row = 0;
    // four rows at a time: the additions of one have to wait for each other
    for (; row + 4 <= count; row += 4) {
      const start = (first + row) * stride;
      let sum0 = added;
      let sum1 = added;
      let sum2 = added;
      let sum3 = added;
      for (let byte = 0, at = start; byte < width; byte++, at++) {
        const table = byte << 8;
        sum0 += sums[table | bytes[at]!]!;
        sum1 += sums[table | bytes[at + stride]!]!;
        sum2 += sums[table | bytes[at + 2 * stride]!]!;
        sum3 += sums[table | bytes[at + 3 * stride]!]!;
      }
      logs[to + row] = sum0;
      logs[to + row + 1] = sum1;
      logs[to + row + 2] = sum2;
      logs[to + row + 3] = sum3;
    }
    for (; row < count; row++) {
      const start = (first + row) * stride;
      let sum = added;
      for (let byte = 0; byte < width; byte++) sum += sums[(byte << 8) | bytes[start + byte]!]!;
      logs[to + row] = sum;
    }
  }

  /**
   * 256 additions for each eight columns: the sum of a byte is that of the byte without its highest one, and that one's
   * log-odds.
   */
  #prepare(product: number): void {
    const sums = this.#sums;
    for (let byte = 0; byte < this.#bytes; byte++) {
      const place = product * this.#bytes + byte;
      const start = byte << 8;
      sums[start] = this.#zeros[place]!;
      for (let column = 7, half = 1; half < 256; column--, half <<= 1) {
        const odds = this.#odds[8 * place + column]!;
        for (let value = 0; value < half; value++) sums[start + half + value] = sums[start + value]! + odds;
      }
    }
  }
}
