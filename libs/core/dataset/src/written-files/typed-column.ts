import type { Variable } from '@orchard/contracts';
import { ColumnTyping } from './column-typing.js';

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

/** A column of a model's table, of its values in words. */
export function typedColumn(variable: Variable, texts: readonly (string | null)[]): TypedColumn {
  return columnBy(new ColumnTyping({ variable }), variable.name, texts);
}

/** Any other column of words: of numbers where all of them are. */
export function columnOfTexts(name: string, texts: readonly (string | null)[]): TypedColumn {
  return columnBy(new ColumnTyping({}), name, texts);
}

function columnBy(typing: ColumnTyping, name: string, texts: readonly (string | null)[]): TypedColumn {
  typing.add(texts);
  const { valueOf, ...head } = typing.form();
  return { name, ...head, values: texts.map((text) => (text === null ? null : valueOf(text))) };
}
