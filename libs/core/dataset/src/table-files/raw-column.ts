import type { RawCell } from './raw-table.js';

/**
 * The cells of a column in some consecutive rows. Arrays are columns, and so are a Float64Array of numbers, in which
 * NaN is a missing value, and the two kinds below, which spare their reader the work of looking at each cell.
 */
export interface RawColumn {
  readonly length: number;
  at(row: number): RawCell | undefined;
}

/** Cells that repeat: places in a list of the distinct ones, which is shared by all batches of a pass and grows. */
export class RepeatedCells implements RawColumn {
  constructor(
    readonly words: readonly RawCell[],
    readonly places: Uint16Array,
  ) {}

  get length(): number {
    return this.places.length;
  }

  at(row: number): RawCell {
    return this.words[this.places[row]!]!;
  }
}

/** Stands for no decimals, since there is no number. */
export const NO_NUMBER = 255;

/**
 * Texts that are plain numbers of up to 15 digits, as `-12.50`: the number and how many digits are behind the point
 * restore the text.
 */
export class NumberCells implements RawColumn {
  constructor(
    /** NaN for a missing value. */
    readonly numbers: Float64Array,
    /** {@link NO_NUMBER} for a missing value. */
    readonly decimals: Uint8Array,
  ) {}

  get length(): number {
    return this.numbers.length;
  }

  at(row: number): string | null {
    return textOfNumber(this.numbers[row]!, this.decimals[row]!);
  }
}

/** The text that a number was read from; null for a missing value. */
export function textOfNumber(number: number, decimals: number): string | null {
  return decimals === NO_NUMBER ? null : number.toFixed(decimals);
}
