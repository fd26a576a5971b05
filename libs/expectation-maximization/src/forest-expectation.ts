import type { CountedRows } from '@orchard/dataset';
import type { Forest } from '@orchard/forests';
import { exp, log } from '@orchard/numerics';

/** A mixture of forests of all columns while it is learned. */
export interface WeightedForests {
  readonly weights: Float64Array;
  readonly forests: readonly Forest[];
}

/** Rows by their shares: `of[k][row]` is how often a distinct row is there times P(component k | row). */
export interface RowShares {
  readonly of: readonly Float64Array[];
  /** Summed of each component. */
  readonly rows: Float64Array;
}

/** A component that is this much less probable than another, given a row, has no share in it: as of products. */
const NO_SHARE = -20;
/** Rows whose logarithms under all components are in memory together. */
const BLOCK = 1024;

/** EM's expectation of a mixture of forests over the same rows again and again: a row costs an addition or two for each of its ones and component. */
export class ForestExpectation {
  constructor(readonly counted: CountedRows) {}

  /** Summed nats of all rows under a mixture. */
  natsUnder(mixture: WeightedForests): number {
    return this.#run(mixture, null);
  }

  /** And each row shared out among the components. */
  shared(mixture: WeightedForests): { readonly nats: number; readonly shares: RowShares } {
    const of = mixture.forests.map(() => new Float64Array(this.counted.distinct.rows));
    const nats = this.#run(mixture, of);
    return { nats, shares: { of, rows: Float64Array.from(of, sumOf) } };
  }

  #run({ weights, forests }: WeightedForests, shares: readonly Float64Array[] | null): number {
    const { distinct, counts } = this.counted;
    const logs = weights.map(log);
    const tables = forests.map((forest) => new OnesTable(forest));
    const block = tables.map(() => new Float64Array(Math.min(BLOCK, distinct.rows)));
    let nats = 0;
    for (let first = 0; first < distinct.rows; first += BLOCK) {
      const count = Math.min(BLOCK, distinct.rows - first);
      tables.forEach((table, k) => table.logsInto(block[k]!, this.counted, first, count, logs[k]!));
      for (let at = 0; at < count; at++) {
        let highest = -Infinity;
        for (const own of block) if (own[at]! > highest) highest = own[at]!;
        let total = 0;
        for (const own of block) {
          const gap = own[at]! - highest;
          total += own[at] = gap < NO_SHARE ? 0 : exp(gap);
        }
        const times = counts[first + at]!;
        nats += times * (highest + log(total));
        shares?.forEach((to, k) => (to[first + at] = (times * block[k]![at]!) / total));
      }
    }
    return nats;
  }
}

/** log P of a row under a forest from the columns in which it is 1: that of the row without ones, and what each one adds, beside a parent of 0 or of 1. */
class OnesTable {
  #zeros = 0;
  readonly #alone: Float64Array;
  /** Of the edge to the parent where both are 1; 0 of roots, whose parent is themselves. */
  readonly #withParent: Float64Array;
  /** The parent's byte of a row, and its bit there. */
  readonly #byte: Uint32Array;
  readonly #bit: Uint8Array;

  /** @param forest of all columns in their order */
  constructor({ parents, rates }: Forest) {
    const dimensions = parents.length;
    this.#alone = new Float64Array(dimensions);
    this.#withParent = new Float64Array(dimensions);
    const known = Uint32Array.from(parents, (parent, column) => (parent < 0 ? column : parent));
    this.#byte = known.map((column) => column >> 3);
    this.#bit = Uint8Array.from(known, (column) => 0x80 >> (column & 7));
    for (let column = 0; column < dimensions; column++) {
      const [after0, after1] = [rates[2 * column]!, rates[2 * column + 1]!];
      const [zero, one] = [log(1 - after0), log(after0)];
      this.#zeros += zero;
      this.#alone[column]! += one - zero;
      const parent = parents[column]!;
      if (parent < 0) continue;
      const [zeroAfter1, oneAfter1] = [log(1 - after1), log(after1)];
      this.#alone[parent]! += zeroAfter1 - zero;
      this.#withParent[column] = oneAfter1 - zeroAfter1 - (one - zero);
    }
  }

  /** @param added to each: the logarithm of the forest's weight */
  logsInto(
    logs: Float64Array,
    { distinct, starts, columns }: CountedRows,
    first: number,
    count: number,
    added: number,
  ) {
    const { bytes, stride } = distinct;
    const zeros = this.#zeros + added;
    const alone = this.#alone;
    const withParent = this.#withParent;
    const byte = this.#byte;
    const bit = this.#bit;
    for (let at = 0, row = first, start = first * stride; at < count; at++, row++, start += stride) {
      let sum = zeros;
      for (let one = starts[row]!; one < starts[row + 1]!; one++) {
        const column = columns[one]!;
        sum += alone[column]!;
        if ((bytes[start + byte[column]!]! & bit[column]!) !== 0) sum += withParent[column]!;
      }
      logs[at] = sum;
    }
  }
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
