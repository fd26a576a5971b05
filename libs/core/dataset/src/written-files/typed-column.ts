import type { DurationFormat, Variable } from '@orchard/contracts';
import { numberOf } from '../variables/cell-values.js';
import { hasZone } from '../variables/midnight.js';
import { isOfWholeNumbers } from '../variables/moment-format.js';
import { standForNumbers } from '../variables/merged-texts.js';
import { numberFromText } from '../variables/number-format.js';
import { isOfMonths } from '../variables/written-date.js';

/**
 * What a column is in a file whose columns have types. Days and moments are without a zone; durations are in
 * microseconds or nanoseconds; all else is text.
 */
type ColumnType = 'text' | 'number' | 'whole' | 'boolean' | 'day' | 'moment' | 'microseconds' | 'nanoseconds';

/** A column of rows that are written to a file whose columns have types; null for a missing value. */
export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
  /**
   * Strings; numbers; whole numbers as BigInt; booleans; days and moments as milliseconds since 1970; durations
   * as BigInt.
   */
  readonly values: readonly (string | number | bigint | boolean | null)[];
}

const WHOLE = /^[-+]?\d+$/;
const DAY = 86_400_000;

/** A column of a model's table, of its values in words. */
export function typedColumn(variable: Variable, texts: readonly (string | null)[]): TypedColumn {
  const { name } = variable;
  const column = (type: ColumnType, valueOf: (text: string) => string | number | bigint | boolean): TypedColumn => ({
    ...{ name, type },
    values: texts.map((text) => (text === null ? null : valueOf(text))),
  });
  if (variable.kind !== 'ordered') {
    // labels that were rare in training may come as "(other)"
    const mayBeOther = variable.kind === 'categorical' && variable.others > 0;
    if (mayBeOther) return column('text', (text) => text);
    // cells of a file may spell a label otherwise than the training rows
    return columnOfLabels(name, texts, [...variable.labels, ...present(texts)]);
  }
  const { format } = variable;
  // cells of a file that are not written as the column's values stay as they are
  if (texts.some((text) => text !== null && Number.isNaN(numberOf(text, format)))) return columnOfTexts(name, texts);
  if (format.type === 'number') {
    const isWhole = format.places === 0 && variable.range.every((end) => Math.abs(end) < 2 ** 62);
    return isWhole
      ? column('whole', (text) => wholeOf(text, numberOf(text, format)))
      : column('number', (text) => numberOf(text, format));
  }
  // whole numbers stay such, and a month has no type of its own
  if (isOfWholeNumbers(format)) return column('whole', (text) => BigInt(Math.round(Number(text))));
  if (format.type === 'date' && isOfMonths(format.written)) return column('text', (text) => text);
  if (format.type === 'date' && format.time === null) {
    const { midnight } = format;
    if (midnight !== undefined && hasZone(midnight)) return column('text', (text) => text);
    return column(midnight === undefined ? 'day' : 'moment', (text) => numberOf(text, format) * DAY);
  }
  if (format.type === 'date' && format.time!.zone === '')
    return column('moment', (text) => numberOf(text, format) * 10 ** (3 - format.time!.digits));
  if (format.type === 'duration') {
    const [type, digits] = format.digits <= 6 ? (['microseconds', 6] as const) : (['nanoseconds', 9] as const);
    return column(type, (text) => unitsOf(text, format, digits));
  }
  return column('text', (text) => text);
}

/** A duration in units of 10^-digits seconds; whole numbers, since a double does not hold all of them. */
function unitsOf(text: string, format: DurationFormat, digits: number): bigint {
  return BigInt(Math.round(numberOf(text, format))) * 10n ** BigInt(digits - format.digits);
}

/** Any other column of words: of numbers where all of them are. */
export function columnOfTexts(name: string, texts: readonly (string | null)[]): TypedColumn {
  return columnOfLabels(name, texts, present(texts));
}

function present(texts: readonly (string | null)[]): string[] {
  return texts.filter((text): text is string => text !== null);
}

/** @param all words that say what the column is of */
function columnOfLabels(name: string, texts: readonly (string | null)[], all: readonly string[]): TypedColumn {
  const isAll = (is: (text: string) => boolean): boolean => all.length > 0 && all.every(is);
  const values = (valueOf: (text: string) => TypedColumn['values'][number]): TypedColumn['values'] =>
    texts.map((text) => (text === null ? null : valueOf(text)));
  if (isAll((text) => text === 'True' || text === 'False'))
    return { name, type: 'boolean', values: values((text) => text === 'True') };
  if (isAll((text) => WHOLE.test(text) && Number.isSafeInteger(numberFromText(text))))
    return { name, type: 'whole', values: values(BigInt) };
  // 1.10 beside 1.1 is a name
  if (standForNumbers([...new Set(all)]) && isAll((text) => !Number.isNaN(numberFromText(text))))
    return { name, type: 'number', values: values(numberFromText) };
  return { name, type: 'text', values: texts };
}

function wholeOf(text: string, value: number): bigint {
  return WHOLE.test(text) ? BigInt(text) : BigInt(Math.round(value));
}
