import type { NumberFormat } from '@orchard/contracts';

/** How numbers are written that are more than digits and a point: `$1,046.75`, `1.046,75 €`, `4.8%`. */
export type WrittenNumbers = NonNullable<NumberFormat['written']>;

/** A number that is written so. */
export interface WrittenNumber {
  readonly number: number;
  /** Digits behind the point. */
  readonly decimals: number;
  readonly prefix: string;
  readonly suffix: string;
  /** Between thousands; '' where it has none. */
  readonly thousands: string;
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
/** As 00501: a name. */
const LEADING_ZERO = /^0\d/;
const LONGEST = 40;

/** The number that a text is with that before its decimals; null where it is none. */
export function readWrittenNumber(text: string, point: '.' | ','): WrittenNumber | null {
  if (text.length > LONGEST) return null;
  const match = PATTERNS[point].exec(text);
  if (match === null) return null;
  const [, sign = '', prefix = '', inner = '', digits = '', thousands = '', fraction = '', suffix = ''] = match;
  if ((sign !== '' && inner !== '') || LEADING_ZERO.test(digits) || (prefix !== '' && prefix.trim() === ''))
    return null;
  const plain = thousands === '' ? digits : digits.replaceAll(thousands, '');
  const number = Number(`${sign}${inner}${plain}${fraction === '' ? '' : `.${fraction}`}`);
  return { number, decimals: fraction.length, prefix, suffix: suffix.trim() === '' ? '' : suffix, thousands };
}

/**
 * The number that a text is in a column whose numbers are written so, with or without what stands around them; NaN
 * where it is none.
 */
export function numberWritten(text: string, { point, prefix, suffix, thousands }: WrittenNumbers): number {
  const read = readWrittenNumber(text, point);
  if (read === null || (read.thousands !== '' && read.thousands !== thousands)) return NaN;
  const isBare = read.prefix === '' && read.suffix === '';
  return isBare || (read.prefix === prefix && read.suffix === suffix) ? read.number : NaN;
}

/** The text of a number, as `-1046.75`, in the form of its column, as `-$1,046.75`. */
export function writtenAs(text: string, { point, prefix, suffix, thousands }: WrittenNumbers): string {
  const [, sign = '', digits = '', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (digits === '') return text;
  const grouped = thousands === '' ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return `${sign}${prefix}${grouped}${fraction === undefined ? '' : `${point}${fraction}`}${suffix}`;
}
