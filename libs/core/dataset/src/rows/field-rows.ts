/**
 * One byte of a row: the codes of one variable of a table, or of several small ones side by side. Its predictors, which
 * are the bits that trees split on, follow one another; each is 1 with some of the codes.
 */
export interface Field {
  /** Its predictors: `start` up to `end`, the end exclusive. */
  readonly start: number;
  readonly end: number;
  /** How many codes there may be, 1 to 256. */
  readonly codes: number;
  /** Of each predictor the first code with which it is 1, and the one behind the last; null in a field of sets. */
  readonly ranges: Uint16Array | null;
  /** Of each predictor one bit a code, least significant first, in 32 bytes; null in a field of ranges. */
  readonly sets: Uint8Array | null;
}

/** How rows of one byte a field lie, and what their codes mean. */
export interface FieldLayout {
  /** Of all fields together. */
  readonly predictors: number;
  readonly fields: readonly Field[];
  /** Bytes of a row, a multiple of 8: one for each field, and behind them whatever else is kept of a row. */
  readonly stride: number;
}

/** Rows of fields, `stride` bytes each. */
export interface FieldRows {
  readonly rows: number;
  /** Predictors. */
  readonly dimensions: number;
  readonly layout: FieldLayout;
  readonly bytes: Uint8Array;
}

/** Most codes of a field, which has a byte. */
export const MOST_FIELD_CODES = 256;

/** Bytes of a predictor's set. */
export const SET_BYTES = MOST_FIELD_CODES / 8;

/** How many predictors lie in fields of sets. */
export function predictorsInSets({ fields }: FieldLayout): number {
  return fields.reduce((sum, { sets, start, end }) => sum + (sets === null ? 0 : end - start), 0);
}
