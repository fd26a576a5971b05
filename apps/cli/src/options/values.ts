import { UsageError } from '../errors.js';

/** A number written as people write them, or the text as it came: schemas say what is wrong with it. */
export function numberOrText(text: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
}

/** @throws UsageError unless `text` is a whole number within the limits */
export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = numberOrText(text);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const expected =
      most === Number.MAX_SAFE_INTEGER
        ? `a whole number from ${String(least)}`
        : `a whole number from ${String(least)} to ${String(most)}`;
    throw new UsageError({ got: JSON.stringify(text), expected, where: option, remedy: 'Correct the option.' });
  };
}

/** @throws UsageError unless `text` is a finite number that `accepts` */
export function number(
  option: string,
  expected: string,
  accepts: (value: number) => boolean,
): (text: string) => number {
  return (text) => {
    const value = numberOrText(text);
    if (typeof value === 'number' && Number.isFinite(value) && accepts(value)) return value;
    throw new UsageError({ got: JSON.stringify(text), expected, where: option, remedy: 'Correct the option.' });
  };
}

/** What reads the text of an option, and knows words that it may be, which shells then offer. */
export interface Reader<Value> {
  (text: string): Value;
  readonly words: readonly string[];
}

/** @throws UsageError unless `text` is one of the words */
export function oneOf<Word extends string>(option: string, words: readonly Word[]): Reader<Word> {
  const read = (text: string): Word => {
    if ((words as readonly string[]).includes(text)) return text as Word;
    throw new UsageError({
      got: JSON.stringify(text),
      expected: words.join(', '),
      where: option,
      remedy: 'Choose one of these.',
    });
  };
  return knowing(words, read);
}

/** The same reader, with words that are among what it takes. */
export function knowing<Value>(words: readonly string[], read: (text: string) => Value): Reader<Value> {
  return Object.assign((text: string) => read(text), { words });
}

/** Items between commas, white space around them dropped; an empty text is an empty list. */
export function list(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((item) => item.trim());
}
