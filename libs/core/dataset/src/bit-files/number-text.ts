import { powerOfTen } from '@orchard/numerics';

const DIGIT_0 = 48;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The number that the text `bytes[from ... to - 1]` is, correctly rounded, or NaN where it is none. Up to 15 digits,
 * with or without a point, need no string: both whole numbers are exact, so their quotient is rounded once.
 */
export function parseNumber(bytes: Uint8Array, from: number, to: number): number {
  let whole = 0;
  let digits = 0;
  let pointAt = -1;
  let i = from;
  const negative = bytes[i] === 45;
  if (negative) i++;
  for (; i < to; i++) {
    const digit = bytes[i]! - DIGIT_0;
    if (digit >= 0 && digit <= 9) {
      whole = whole * 10 + digit;
      digits++;
    } else if (digit === -2 && pointAt < 0) pointAt = digits;
    else break;
  }
  if (i < to || digits === 0 || digits > 15)
    return isNumber(latin1(bytes, from, to)) ? Number(latin1(bytes, from, to)) : NaN;
  const value = pointAt < 0 ? whole : whole / powerOfTen(digits - pointAt);
  return negative ? -value : value;
}

/** Whether a text is a decimal number; neither empty, nor hexadecimal, nor a word for one. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}
