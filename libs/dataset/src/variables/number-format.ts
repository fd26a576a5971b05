import type { NumberFormat } from '@orchard/contracts';
import { plainDecimals, plainNumber } from './plain-number.js';

const NUMBER = /^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;
/** As 00501: digits that are a name, and would not survive being a number. */
const LEADING_ZERO = /^[+-]?0\d/;
/** As many digits behind the point as are written; of numbers that need more, all digits that tell them apart are, as `1.5e-300`. */
export const MOST_DECIMALS = 20;
/** Beyond it nothing is left for ranges and sums: infinite, or a mark of something else. */
export const GREATEST_NUMBER = 1e300;

/** The number that a text is, NaN where it is none. A number with leading zeros is none: it would not come back as it was. */
export function numberFromText(text: string): number {
  const plain = plainNumber(text);
  if (!Number.isNaN(plain)) return plain;
  return NUMBER.test(text) && !LEADING_ZERO.test(text) ? bounded(Number(text)) : NaN;
}

/** The same number, NaN where it is infinite or beyond {@link GREATEST_NUMBER}. */
export function bounded(value: number): number {
  return Math.abs(value) <= GREATEST_NUMBER ? value : NaN;
}

/** Digits behind the point that the text of a number has. */
export function decimalsOfText(text: string): number {
  if (!Number.isNaN(plainNumber(text))) return Math.min(MOST_DECIMALS, plainDecimals(text));
  const [, point = '', bare = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  return Math.min(MOST_DECIMALS, Math.max(0, (point || bare).length - Number(exponent)));
}

/** Digits behind the point that a number needs. */
export function decimalsOf(value: number): number {
  return Number.isInteger(value) ? 0 : decimalsOfText(String(value));
}

/** As the file writes it: `13.0`, `11.96`, `7`. */
export function writeNumber(value: number, { decimals, padded }: NumberFormat): string {
  if (decimals >= MOST_DECIMALS) return String(value);
  const text = value.toFixed(decimals);
  const whole = /^-0(?:\.0*)?$/.test(text) ? text.slice(1) : text;
  return padded || decimals === 0 ? whole : whole.replace(/(\.\d+?)0+$/, '$1');
}
