import { numberOf } from '../variables/cell-values.js';
import { momentFormatOf } from '../variables/moment-format.js';
import { isRounded, numberFromText } from '../variables/number-format.js';
import { isWholeIn64Bits } from './whole-in-64-bits.js';
import type { ColumnForm } from './column-typing.js';
import type { TypedValue } from './typed-column.js';

/** What type a column has in the file that its cells are from. */
export interface TypeInFile {
  /** In a word, as `RawTable.kinds` has it; null where it has only missing values. */
  readonly kind: string | null;
  /** Whether whole numbers are written as fractions. */
  readonly hasFractions: boolean;
}

const WHOLE = /^[-+]?\d+$/;
const DAY = 86_400_000;
const SECOND = 1000;
/** A moment to the second, as typed files have it. */
const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z?)$/;

/**
 * Finds out how cells are written to a file whose columns have types so that they keep the type that they had, texts
 * of digits too; they come one after another.
 */
export class FormInFile {
  #areWhole = true;
  #digits = 0;
  #isUtc = false;

  constructor(private readonly type: TypeInFile) {}

  /** Takes a text. @returns whether it is a value of the type */
  read(text: string): boolean {
    switch (this.type.kind) {
      case 'texts':
        return true;
      case 'truth values':
        return text === 'True' || text === 'False';
      case 'numbers': {
        const number = numberOrInfinity(text);
        const isWhole = Number.isSafeInteger(number) || isWholeIn64Bits(text);
        this.#areWhole &&= isWhole;
        // what has more digits than any number that is written stays a text
        return !Number.isNaN(number) && (isWhole || !isRounded(text));
      }
      case 'dates':
        return dayOf(text) !== null;
      case 'dates with times': {
        const [, , fraction = '', zone] = MOMENT.exec(text) ?? [];
        this.#digits = Math.max(this.#digits, fraction.length);
        this.#isUtc ||= zone === 'Z';
        return zone !== undefined;
      }
      case 'durations': {
        const format = momentFormatOf(text);
        if (format?.type !== 'duration') return false;
        this.#digits = Math.max(this.#digits, format.digits);
        return true;
      }
      default:
        // times of day have no type where they are written
        return false;
    }
  }

  /** Of texts that were all read. */
  form(): ColumnForm {
    const digits = this.#digits <= 6 ? 6 : 9;
    switch (this.type.kind) {
      case 'truth values':
        return { type: 'boolean', valueOf: (text) => text === 'True' };
      case 'numbers':
        return this.#areWhole && !this.type.hasFractions
          ? { type: 'whole', valueOf: wholeOf }
          : { type: 'number', valueOf: numberOrInfinity };
      case 'dates':
        return { type: 'day', valueOf: (text) => dayOf(text)! };
      case 'dates with times':
        return {
          type: 'moment',
          valueOf: (text) => momentOf(text, digits),
          moments: { digits, isUtc: this.#isUtc },
        };
      case 'durations':
        return {
          type: digits === 6 ? 'microseconds' : 'nanoseconds',
          valueOf: (text) => durationOf(text, digits),
        };
      default:
        return { type: 'text', valueOf: (text) => text };
    }
  }
}

/** Infinite numbers are none that a model learns, but of such a column they are. */
function numberOrInfinity(text: string): number {
  return /^-?Infinity$/.test(text) ? Number(text) : numberFromText(text);
}

function wholeOf(text: string): TypedValue {
  return WHOLE.test(text) ? BigInt(text) : BigInt(numberFromText(text));
}

/** Milliseconds since 1970; null of a text that is not a day. */
function dayOf(text: string): number | null {
  const value = numberOf(text, { type: 'date', time: null });
  return Number.isNaN(value) ? null : value * DAY;
}

/** In units of 10^-digits seconds since 1970: whole numbers, since a double does not hold all of them. */
function momentOf(text: string, digits: number): bigint {
  const [, second = '', fraction = ''] = MOMENT.exec(text)!;
  const whole = BigInt(Date.parse(`${second}Z`) / SECOND);
  return whole * 10n ** BigInt(digits) + BigInt(fraction.padEnd(digits, '0'));
}

function durationOf(text: string, digits: number): bigint {
  const format = momentFormatOf(text)!;
  const own = format.type === 'duration' ? format.digits : 0;
  return BigInt(Math.round(numberOf(text, format))) * 10n ** BigInt(digits - own);
}
