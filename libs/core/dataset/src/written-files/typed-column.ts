import type { DurationFormat, Variable } from '@orchard/contracts';
import { numberOf } from '../variables/cell-values.js';
import { zoneOf } from '../variables/midnight.js';
import { isOfWholeNumbers } from '../variables/moment-format.js';
import { standForNumbers } from '../variables/merged-texts.js';
import { numberFromText } from '../variables/number-format.js';
import { isOfMonths } from '../variables/written-date.js';
import { offsetOf } from '../variables/zone-offset.js';

/**
 * What a column is in a file whose columns have types. Days have no zone, moments none or UTC; durations are in
 * microseconds or nanoseconds; all else is text.
 */
type ColumnType = 'text' | 'number' | 'whole' | 'boolean' | 'day' | 'moment' | 'microseconds' | 'nanoseconds';

/** How a file has the moments of a column. */
export interface WrittenMoments {
  /** Of a second, behind the point. */
  readonly digits: 3 | 6 | 9;
  readonly isUtc: boolean;
}

/** A column of rows that are written to a file whose columns have types; null for a missing value. */
export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
  /**
   * Strings; numbers; whole numbers as BigInt; booleans; days as milliseconds since 1970; moments in their units since
   * 1970 and durations as BigInt.
   */
  readonly values: readonly (string | number | bigint | boolean | null)[];
  /** Of moments; of any other column there is none. */
  readonly moments?: WrittenMoments;
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
  if (format.type === 'date') {
    const { midnight, time } = format;
    if (time === null && midnight === undefined) return column('day', (text) => numberOf(text, format) * DAY);
    const zone = time === null ? zoneOf(midnight!) : time.zone;
    // another zone would be lost, and with it how the moments are written
    if (zone !== '' && offsetOf(zone) !== 0) return column('text', (text) => text);
    const inSecond = 10 ** (time?.digits ?? 0);
    const most = time === null ? 0 : texts.reduce((found, text) => Math.max(found, fractionOf(text ?? '').length), 0);
    const digits = most <= 3 ? 3 : most <= 6 ? 6 : 9;
    const valueOf = (text: string): bigint =>
      time === null ? BigInt(numberOf(text, format) * DAY) : momentIn(text, numberOf(text, format) / inSecond, digits);
    return { ...column('moment', valueOf), moments: { digits, isUtc: zone !== '' } };
  }
  if (format.type === 'duration') {
    const [type, digits] = format.digits <= 6 ? (['microseconds', 6] as const) : (['nanoseconds', 9] as const);
    return column(type, (text) => unitsOf(text, format, digits));
  }
  return column('text', (text) => text);
}

const FRACTION = /[.,](\d{1,9})(?!.*[.,]\d)/;

/** Digits of a second behind the point. */
function fractionOf(text: string): string {
  return FRACTION.exec(text)?.[1] ?? '';
}

/**
 * A moment in units of 10^-digits seconds. A double does not hold all nanoseconds since 1970: the fraction is that of
 * the text.
 */
function momentIn(text: string, seconds: number, digits: number): bigint {
  const fraction = fractionOf(text).slice(0, digits).padEnd(digits, '0');
  const whole = Math.round(seconds - Number(`0.${fraction}`));
  return BigInt(whole) * 10n ** BigInt(digits) + BigInt(fraction);
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
