import type { WholeNumber } from '@orchard/contracts';

/** Digits, perhaps with zeros alone behind a point: 20250403, 930, 20250403.0. */
const WHOLE = /^(\d+)(?:\.0*)?$/;

/** The digits of a whole number, so many with zeros before them; null where it is none, or has more. */
export function digitsOf(text: string, count: number): string | null {
  const digits = WHOLE.exec(text)?.[1];
  return digits === undefined || digits.length > count ? null : digits.padStart(count, '0');
}

/** Digits as a column of whole numbers has them. @param padded whether zeros before them stay */
export function writtenWhole(digits: string, padded: boolean, whole: WholeNumber): string {
  return `${padded ? digits : String(Number(digits))}${whole === 'point' ? '.0' : ''}`;
}
