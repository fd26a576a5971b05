/**
 * What a column is in a file whose columns have types. Days have no zone, moments none or UTC; durations are in
 * microseconds or nanoseconds; all else is text.
 */
export type ColumnType = 'text' | 'number' | 'whole' | 'boolean' | 'day' | 'moment' | 'microseconds' | 'nanoseconds';

/** How a file has the moments of a column. */
export interface WrittenMoments {
  /** Of a second, behind the point. */
  readonly digits: 3 | 6 | 9;
  readonly isUtc: boolean;
}

/**
 * A string; a number; a whole number as BigInt; a boolean; a day as milliseconds since 1970; a moment in its units
 * since 1970, or a duration, as BigInt.
 */
export type TypedValue = string | number | bigint | boolean;

/** Cells of a column; null for a missing value. */
export type TypedValues = readonly (TypedValue | null)[];

/** What is said of a column before its cells. */
export interface ColumnHead {
  readonly name: string;
  readonly type: ColumnType;
  /** Of moments; of any other column there is none. */
  readonly moments?: WrittenMoments;
}

/** A column of rows that are written to a file whose columns have types. */
export interface TypedColumn extends ColumnHead {
  readonly values: TypedValues;
}
