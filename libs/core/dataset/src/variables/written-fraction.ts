import type { WrittenFraction } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';

/** Parts of a second as they may be written behind it, with their digits in a group of their own. */
export const FRACTION = String.raw`[.,](\d{1,9})`;
/** Digits behind the point that count: a microsecond of any year is a whole number below 2^53, a nanosecond is none. */
const MOST_DIGITS = 6;

/** How finely seconds are written. */
export interface SecondDigits {
  /** Behind the point, as far as they count. */
  readonly digits: number;
  readonly fraction?: WrittenFraction;
}

/** @param text what stands behind the seconds with its sign, as `.123`; undefined for nothing */
export function readFraction(text: string | undefined): SecondDigits {
  if (text === undefined) return { digits: 0 };
  const digits = text.length - 1;
  return secondDigits(Math.min(digits, MOST_DIGITS), Math.max(0, digits - MOST_DIGITS), text.startsWith(','));
}

function secondDigits(digits: number, zeros: number, comma: boolean): SecondDigits {
  if (zeros === 0 && !comma) return { digits };
  return { digits, fraction: { ...(comma && { comma }), ...(zeros > 0 && { zeros }) } };
}

/** One way for a whole column: the most digits; null where some have a point and others a comma. */
export function commonFraction(one: SecondDigits, other: SecondDigits): SecondDigits | null {
  const comma = one.fraction?.comma === true || other.fraction?.comma === true;
  const hasPoint = [one, other].some(({ digits, fraction }) => digits > 0 && fraction?.comma !== true);
  if (comma && hasPoint) return null;
  const zeros = Math.max(one.fraction?.zeros ?? 0, other.fraction?.zeros ?? 0);
  return secondDigits(Math.max(one.digits, other.digits), zeros, comma);
}

/** The parts of a second, in units of 10^-digits, that so many digits behind a point are. */
export function unitsOfFraction(written: string | undefined, digits: number): number {
  return Math.round(Number(`0.${written ?? '0'}`) * powerOfTen(digits));
}

/** So many parts of a second as they stand behind it. */
export function writtenFraction(units: number, { digits, fraction }: SecondDigits): string {
  if (digits === 0) return '';
  const sign = fraction?.comma === true ? ',' : '.';
  return `${sign}${String(units).padStart(digits, '0')}${'0'.repeat(fraction?.zeros ?? 0)}`;
}

/** How they look: `.fff`. */
export function fractionPattern({ digits, fraction }: SecondDigits): string {
  const sign = fraction?.comma === true ? ',' : '.';
  return digits === 0 ? '' : sign + 'f'.repeat(digits + (fraction?.zeros ?? 0));
}
