import { numberFromText } from './number-format.js';

/** The first two texts of a column that are one number, as 1.1 and 1.10; null where there are none. */
export function mergedTexts(labels: Iterable<string>): readonly [string, string] | null {
  const known = new Map<number, string>();
  for (const text of labels) {
    const number = numberFromText(text);
    if (Number.isNaN(number)) continue;
    const first = known.get(number);
    if (first !== undefined) return [first, text];
    known.set(number, text);
  }
  return null;
}

/** Digits, an E and digits, as wells of a plate and clones are called: 1E5, 2310009E13. */
const EXPONENT = /^\d+[eE]\d+$/;

/** Whether every text of a column may as well be a name as a number. */
export function areNamesWithAnE(labels: Iterable<string>): boolean {
  let hasAny = false;
  for (const text of labels) {
    if (!EXPONENT.test(text)) return false;
    hasAny = true;
  }
  return hasAny;
}

/** Whether labels that are numbers stand for them, however these are spelled: not where two of them are one number. */
export function standForNumbers(labels: readonly string[]): boolean {
  return mergedTexts(labels) === null && !areNamesWithAnE(labels);
}
