import { CompiledModule, growMemory, log } from '@orchard/numerics';
import { counterBytes } from '../generated/counter-bytes.js';
import type { PairProbabilities } from './pair-probabilities.js';
import { placeOf, WeightedPairs, within } from './weighted-pairs.js';

/** Rows by the columns in which they are 1: `columns[starts[row]]` to before `columns[starts[row + 1]]`, ascending. */
export interface RowsOfOnes {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
}

/** The functions of assembly/weighted.ts, on a memory of their own. */
interface WeightedModule {
  readonly memory: WebAssembly.Memory;
  addWeighted(starts: number, columns: number, rows: number, weights: number, both: number, sum: number): number;
  share(both: number, beside: number, pairs: number, added: number, rows: number): void;
  inform(both: number, rates: number, margins: number, dimensions: number, information: number): void;
}

/** Whose three tables of pairs are 3.2 of the 4 GB that a module can have. */
export const MOST_WEIGHTED_COLUMNS = 16_384;
/** Where memory begins that the module has no data in. */
const HEAP = 1024;

const compiled = new CompiledModule(counterBytes);

/**
 * Finds probabilities of pairs of columns in the same rows under other and other weights, with some rows beside them
 * that are shared out as other pairs say: again and again in one memory, so what it gives is good until it counts
 * again. An addition for each two columns that are 1 in a row, rows x ones² / 2, and the logarithms of all pairs.
 * Memory: 12 D² bytes, and of rows 2 for each of their ones and 12 for each.
 */
export class WeightedPairCounter {
  readonly #module: WeightedModule;
  readonly #rows: number;
  readonly #starts: number;
  readonly #columns: number;
  readonly #weights: number;
  readonly #rates: number;
  readonly #margins: number;
  readonly #both: number;
  readonly #beside: number;
  readonly #information: number;

  /**
   * @param beside pairs that have a probability above 0 of all four values
   * @throws RangeError where there are more than 16,384 columns
   */
  constructor(
    readonly dimensions: number,
    { starts, columns }: RowsOfOnes,
    beside: PairProbabilities,
  ) {
    if (dimensions > MOST_WEIGHTED_COLUMNS)
      throw new RangeError(
        `pairs of at most ${String(MOST_WEIGHTED_COLUMNS)} columns are counted by weights, got ${String(dimensions)}: leave columns out`,
      );
    this.#module = compiled.instantiate();
    this.#rows = starts.length - 1;

    let end = HEAP;
    const placed = (bytes: number): number => {
      const start = end;
      end += 16 * Math.ceil(bytes / 16);
      return start;
    };
    // two numbers are taken at a time: one more behind the last
    const pairs = 8 * (this.#pairs + 1);
    this.#starts = placed(starts.byteLength);
    this.#columns = placed(2 * columns.length);
    this.#weights = placed(8 * this.#rows);
    this.#rates = placed(8 * (dimensions + 1));
    this.#margins = placed(8 * (dimensions + 1));
    this.#both = placed(pairs);
    this.#beside = placed(pairs);
    this.#information = placed(pairs);
    const { memory } = this.#module;
    growMemory(memory, end);
    new Uint32Array(memory.buffer, this.#starts).set(starts);
    new Uint16Array(memory.buffer, this.#columns).set(columns);
    const shares = new Float64Array(memory.buffer, this.#beside, this.#pairs);
    for (let a = 0, at = 0; a < dimensions; a++) for (let b = 0; b <= a; b++, at++) shares[at] = beside.both(a, b);
  }

  /**
   * @param weights of each row, none negative; the sum is as many rows as they are worth
   * @param added rows of those beside, above 0
   */
  count(weights: Float64Array, added: number): WeightedPairs {
    const { dimensions } = this;
    const module = this.#module;
    const { buffer } = module.memory;
    const both = new Float64Array(buffer, this.#both, this.#pairs).fill(0);
    new Float64Array(buffer, this.#weights, this.#rows).set(weights);
    const rows = module.addWeighted(this.#starts, this.#columns, this.#rows, this.#weights, this.#both, added);
    module.share(this.#both, this.#beside, this.#pairs, added, rows);

    const rates = new Float64Array(buffer, this.#rates, dimensions);
    const margins = new Float64Array(buffer, this.#margins, dimensions);
    for (let column = 0; column < dimensions; column++) {
      const rate = within(both[placeOf(column, column)]!);
      rates[column] = rate;
      margins[column] = rate * log(rate) + (1 - rate) * log(1 - rate);
    }
    module.inform(this.#both, this.#rates, this.#margins, dimensions, this.#information);
    return new WeightedPairs({ both, rates, information: new Float64Array(buffer, this.#information, this.#pairs) });
  }

  /** Of columns, each with itself too. */
  get #pairs(): number {
    return (this.dimensions * (this.dimensions + 1)) / 2;
  }
}
