import type { NumberFormat } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';
import { withoutNoise } from './binary-noise.js';
import { withPlainMinus } from './minus-sign.js';
import { EXACT_DIGITS, plainDecimals, plainNumber } from './plain-number.js';

const NUMBER = /^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;
/** As 00501: digits that are a name, and would not survive being a number. */
const LEADING_ZERO = /^[+-]?0\d/;
/**
 * As many digits behind the point as are written; of numbers that need more, all digits that distinguish them are, as
 * `1.5e-300`.
 */
export const MOST_DECIMALS = 20;
/** Beyond it nothing is left for ranges and sums: infinite, or a mark of something else. */
export const GREATEST_NUMBER = 1e300;

/**
 * The number that a text is, NaN where it is none. A number with leading zeros is none: it would not come back as it
 * was.
 */
export function numberFromText(text: string): number {
  const plain = plainNumber(text);
  if (!Number.isNaN(plain)) return plain;
  const number = withPlainMinus(text);
  return NUMBER.test(number) && !LEADING_ZERO.test(number) ? bounded(Number(number)) : NaN;
}

/** Whether a text is a number beyond {@link GREATEST_NUMBER}, which is read as none. */
export function isBeyondNumbers(text: string): boolean {
  const number = withPlainMinus(text);
  return NUMBER.test(number) && !LEADING_ZERO.test(number) && Number.isNaN(numberFromText(text));
}

/** The same number without the noise of binary fractions; NaN beyond {@link GREATEST_NUMBER}, as of infinite ones. */
export function bounded(value: number): number {
  return Math.abs(value) <= GREATEST_NUMBER ? withoutNoise(value) : NaN;
}

/** So many digits come back from every number that they were read into. */
const SAFE_DIGITS = 15;
/** So many digits tell any two numbers apart. */
const ALL_DIGITS = 17;
const MOST_PRECISION = 100;

/**
 * Whether the text of a number has digits that the nearest number there is does not: a whole one beyond 2^53, or more
 * than about 16 digits. Texts of the digits that a number has are not rounded, however many these are.
 */
export function isRounded(text: string): boolean {
  if (text.length <= SAFE_DIGITS) return false;
  const plain = withPlainMinus(text);
  const own = digitsOf(plain);
  if (own === null || own.digits.length <= SAFE_DIGITS) return false;
  const number = Number(plain);
  const precision = Math.min(MOST_PRECISION, Math.max(ALL_DIGITS, own.count));
  return [String(number), number.toPrecision(precision)].every((written) => {
    const other = digitsOf(written);
    return other === null || other.digits !== own.digits || other.exponent !== own.exponent;
  });
}

interface Digits {
  /** Without the zeros around them. */
  readonly digits: string;
  /** So many are written, with the zeros behind them. */
  readonly count: number;
  /** The power of ten that the first stands for. */
  readonly exponent: number;
}

/** The digits of a number; null of any other text. */
function digitsOf(text: string): Digits | null {
  const [, whole, point = '', exponent = '0'] = PARTS.exec(text) ?? [];
  if (whole === undefined) return null;
  const all = whole + point;
  const digits = all.replace(/^0+/, '');
  const first = Number(exponent) + whole.length - (all.length - digits.length);
  return { digits: digits.replace(/0+$/, ''), count: digits.length, exponent: first };
}

const PARTS = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

const SAFE_UNITS = 10n ** BigInt(SAFE_DIGITS);
/** The greatest power of ten that a number is. */
const MOST_EXACT_POWER = 22;

/** The number of units of 10^-scale, exactly: as a text where a number would not have all of its digits. */
export function decimalCell(units: bigint, scale: number): number | string {
  // a quotient of two numbers that are exact is rounded once, as its text is
  if (scale >= 0 && scale <= MOST_EXACT_POWER && units < SAFE_UNITS && units > -SAFE_UNITS)
    return Number(units) / powerOfTen(scale);
  if (scale < 0) return decimalCell(units * 10n ** BigInt(-scale), 0);
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  const signed = units < 0n ? `-${text}` : text;
  return isRounded(signed) ? signed : Number(signed);
}

/**
 * Digits behind the point that the text of a number has: one at least where it has a point or an exponent, as `7.` and
 * `1e3`, since a program that reads the column elsewhere (pandas) takes it for one of fractions then, and has to again.
 */
export function decimalsOfText(text: string): number {
  const plain = plainNumber(text);
  if (!Number.isNaN(plain)) return Math.min(MOST_DECIMALS, decimalsOfPlain(text, plain));
  const [, point = '', bare = '', exponent = '0'] = NUMBER.exec(withPlainMinus(text)) ?? [];
  const least = /[.eE]/.test(text) ? 1 : 0;
  return Math.min(MOST_DECIMALS, Math.max(least, (point || bare).length - Number(exponent)));
}

/** Of a text that is a plain number; digits that are noise do not count. */
export function decimalsOfPlain(text: string, number: number): number {
  const decimals = plainDecimals(text);
  return text.length > EXACT_DIGITS && Number(text) !== number ? decimalsOf(number) : decimals;
}

/** Digits behind the point that a number needs. */
export function decimalsOf(value: number): number {
  return Number.isInteger(value) ? 0 : decimalsOfText(String(value));
}

/**
 * As the file writes it: `13.0`, `11.96`, `7`; with all digits of the column where it is padded, else as few as
 * identify the number, one behind the point at least (README.md has the rule).
 */
export function writeNumber(value: number, { decimals, padded }: NumberFormat): string {
  const text = padded && decimals < MOST_DECIMALS ? value.toFixed(decimals) : shortest(value, decimals);
  return /^-0(?:\.0*)?$/.test(text) ? text.slice(1) : text;
}

function shortest(value: number, decimals: number): string {
  const text = String(value);
  if (/^-?\d+$/.test(text)) return decimals > 0 ? `${text}.0` : text;
  // .3 is 0.29999999999999999 to 17 digits, and beyond that all digits are noise
  if (decimals >= MOST_DECIMALS || (!text.includes('e') && plainDecimals(text) <= decimals)) return text;
  return value.toFixed(decimals).replace(/(\.\d+?)0+$/, '$1');
}
