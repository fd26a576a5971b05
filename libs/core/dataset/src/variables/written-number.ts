import type { NumberFormat } from '@orchard/contracts';
import { withPlainMinus } from './minus-sign.js';

/** How numbers are written that are more than digits and a point: `$1,046.75`, `1.046,75 €`, `4.8%`, `(64.49)`. */
export type WrittenNumbers = NonNullable<NumberFormat['written']>;

export interface WrittenNumber {
  readonly number: number;
  /** Digits behind the point. */
  readonly decimals: number;
  readonly prefix: string;
  readonly suffix: string;
  /** Between thousands; '' where it has none. */
  readonly thousands: string;
  /** Brackets around it are its minus. */
  readonly isBracketed: boolean;
}

/** Before and behind the digits: a currency, per cent, per mille. */
const SIGN = String.raw`(?:\p{Sc}|EUR|USD|GBP|CHF)`;
const GROUPS: Readonly<Record<'.' | ',', string>> = {
  '.': String.raw`[,'’ \u00a0\u202f]`,
  ',': String.raw`[.'’ \u00a0\u202f]`,
};

function patternOf(point: '.' | ','): RegExp {
  const groups = GROUPS[point];
  const digits = String.raw`(\d{1,3}(?:(${groups})\d{3})(?:\5\d{3})*|\d+)`;
  const fraction = `(?:[${point}](\\d+))?`;
  return new RegExp(String.raw`^([-+]?)(${SIGN}?\s?)([-+]?)${digits}${fraction}(\s?(?:${SIGN}|%|‰)?)$`, 'u');
}

const PATTERNS = { '.': patternOf('.'), ',': patternOf(',') };
const BRACKETED = /^\((.+)\)$/;
/** As 00501, a name, and 0.500, which has no thousands. */
const LEADING_ZERO = /^0./;
const LONGEST = 40;

/** The number that a text is with that before its decimals; null where it is none. */
export function readWrittenNumber(text: string, point: '.' | ','): WrittenNumber | null {
  if (text.length > LONGEST) return null;
  const plainSigns = withPlainMinus(text);
  const inBrackets = BRACKETED.exec(plainSigns)?.[1];
  const match = PATTERNS[point].exec(inBrackets ?? plainSigns);
  if (match === null) return null;
  const [, sign = '', prefix = '', inner = '', digits = '', thousands = '', fraction = '', suffix = ''] = match;
  const signs = [sign, inner, inBrackets === undefined ? '' : '-'].filter((one) => one !== '');
  if (signs.length > 1 || LEADING_ZERO.test(digits) || (prefix !== '' && prefix.trim() === '')) return null;
  const ungrouped = thousands === '' ? digits : digits.replaceAll(thousands, '');
  const number = Number(`${signs.join('')}${ungrouped}${fraction === '' ? '' : `.${fraction}`}`);
  return {
    number,
    decimals: fraction.length,
    prefix,
    suffix: suffix.trim() === '' ? '' : suffix,
    thousands,
    isBracketed: inBrackets !== undefined,
  };
}

/**
 * The number that a text is in a column whose numbers are written so, with or without what stands around them; NaN
 * where it is none.
 */
export function numberWritten(text: string, { point, prefix, suffix, thousands, bracketed }: WrittenNumbers): number {
  const read = readWrittenNumber(text, point);
  if (read === null || (read.thousands !== '' && read.thousands !== thousands)) return NaN;
  if (read.isBracketed && bracketed === undefined) return NaN;
  const isBare = read.prefix === '' && read.suffix === '';
  return isBare || (read.prefix === prefix && read.suffix === suffix) ? read.number : NaN;
}

/** The text of a number, as `-1046.75`, in the form of its column, as `-$1,046.75` or `($1,046.75)`. */
export function writtenAs(text: string, { point, prefix, suffix, thousands, bracketed }: WrittenNumbers): string {
  const [, sign = '', digits = '', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (digits === '') return text;
  const grouped = thousands === '' ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  const unsigned = `${prefix}${grouped}${fraction === undefined ? '' : `${point}${fraction}`}${suffix}`;
  return bracketed === true && sign !== '' ? `(${unsigned})` : sign + unsigned;
}
