import { log } from '@orchard/numerics';
import { entropyOf, placeOf, type StreamPairs } from './stream-pairs.js';

/** Jeffreys' rule: added to each of a pair's four values. */
export const JEFFREYS = 0.5;

/** Pairs of columns of 0 and 1. */
export class BitPairs implements StreamPairs {
  readonly #margins: Float64Array;
  /** log (k + 1/2) and log (k + 1), of every count k so far. */
  readonly #logs: number[] = [];
  readonly #marginLogs: number[] = [];
  #rows: number;

  /** @param counts rows in which columns a and b are 1: `counts[placeOf(a, b)]` */
  constructor(
    private readonly dimensions: number,
    rows: number,
    readonly counts: Uint32Array,
  ) {
    this.#rows = rows;
    this.#margins = new Float64Array(dimensions);
  }

  get rows(): number {
    return this.#rows;
  }

  costs(values: ArrayLike<number>, edges: Float64Array): number {
    const { dimensions, counts } = this;
    const margins = this.#margins;
    const rows = this.#rows;
    const [logs, marginLogs] = this.#logsUpTo(rows);
    const all = log(rows + 4 * JEFFREYS);
    let alone = 0;
    for (let a = 0; a < dimensions; a++) {
      const ones = counts[(a * (a + 3)) / 2]!;
      margins[a] = marginLogs[values[a] === 1 ? ones : rows - ones]! - all;
      alone += margins[a]!;
    }
    for (let a = 0, at = 0; a < dimensions; a++, at++) {
      const onesA = counts[(a * (a + 3)) / 2]!;
      for (let b = 0; b < a; b++, at++) {
        const onesB = counts[(b * (b + 3)) / 2]!;
        const both = counts[at]!;
        const rest = values[a] === 1 ? onesA - both : rows - onesA - onesB + both;
        const cell = values[b] === 1 ? (values[a] === 1 ? both : onesB - both) : rest;
        edges[at] = margins[a]! + margins[b]! - (logs[cell]! - all);
      }
    }
    return -alone;
  }

  add(values: ArrayLike<number>): void {
    const { counts } = this;
    for (let a = 0; a < this.dimensions; a++) {
      if (values[a] !== 1) continue;
      const line = (a * (a + 1)) / 2;
      for (let b = 0; b <= a; b++) counts[line + b]! += values[b]!;
    }
    this.#rows++;
  }

  entropy(column: number, other = column): number {
    const { counts } = this;
    const rows = this.#rows;
    const onesA = counts[placeOf(column, column)]!;
    if (column === other) return entropyOf([onesA, rows - onesA], rows);
    const [both, onesB] = [counts[placeOf(column, other)]!, counts[placeOf(other, other)]!];
    return entropyOf([both, onesA - both, onesB - both, rows - onesA - onesB + both], rows);
  }

  #logsUpTo(count: number): readonly [readonly number[], readonly number[]] {
    for (let next = this.#logs.length; next <= count; next++) {
      this.#logs.push(log(next + JEFFREYS));
      this.#marginLogs.push(log(next + 2 * JEFFREYS));
    }
    return [this.#logs, this.#marginLogs];
  }
}
