import type { NumberFormat } from '@orchard/contracts';
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

/** The same number without the noise of binary fractions; NaN beyond {@link GREATEST_NUMBER}, as of infinite ones. */
export function bounded(value: number): number {
  return Math.abs(value) <= GREATEST_NUMBER ? withoutNoise(value) : NaN;
}

/**
 * Whether a text is a whole number, of which `number` is the nearest there is and not the same: beyond 2^53 not every
 * one is there.
 */
export function isRounded(text: string, number: number): boolean {
  const digits = withPlainMinus(text);
  return Math.abs(number) > Number.MAX_SAFE_INTEGER && /^[+-]?\d+$/.test(digits) && BigInt(digits) !== BigInt(number);
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
