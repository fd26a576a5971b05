import { didYouMean } from '@orchard/dataset';
import { UsageError } from '../output/errors.js';
import { columnsIn } from './given-words.js';

/** A number written as people write them, or the text as it came: schemas say what is wrong with it. */
export function numberOrText(text: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
}

/** What a value may be, in JSON Schema, for programs that fill in options. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** @param read undefined of a text that is not of the form that is expected, which is refused */
export function ofForm<Value>(
  option: string,
  expected: string,
  read: (text: string) => Value | undefined,
  schema?: () => ValueSchema,
): Reader<Value> {
  const readOrRefuse = (text: string): Value => {
    const value = read(text);
    if (value !== undefined) return value;
    throw new UsageError({ got: JSON.stringify(text), expected, where: option, remedy: 'Correct the option.' });
  };
  return knowing([], readOrRefuse, schema);
}

/** A whole number within the limits. */
export function wholeNumber(option: string, least: number, most: number): Reader<number> {
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  const expected = `a whole number from ${String(least)}${isOpen ? '' : ` to ${String(most)}`}`;
  const read = (text: string): number | undefined => {
    const value = numberOrText(text);
    const isWithin = typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
    return isWithin ? value : undefined;
  };
  return ofForm(option, expected, read, () => ({ type: 'integer', minimum: least, ...(!isOpen && { maximum: most }) }));
}

/** A finite number that `accepts`. */
export function number(option: string, expected: string, accepts: (value: number) => boolean): Reader<number> {
  const read = (text: string): number | undefined => {
    const value = numberOrText(text);
    return typeof value === 'number' && Number.isFinite(value) && accepts(value) ? value : undefined;
  };
  return ofForm(option, expected, read, () => ({ type: 'number' }));
}

/** A share that is neither none nor all. */
export function share(option: string): Reader<number> {
  return number(option, 'a number between 0 and 1', (value) => value > 0 && value < 1);
}

/** What reads the text of an option, and knows words that it may be, which shells then offer. */
export interface Reader<Value> {
  (text: string, before?: Value): Value;
  readonly words: readonly string[];
  /** Of the value before it is written as text; made when it is asked for, which few commands do. */
  readonly schema: () => ValueSchema;
  /** Whether its option may be given several times. */
  readonly isRepeated?: true;
}

/** @throws UsageError unless `text` is one of the words */
export function oneOf<Word extends string>(option: string, words: readonly Word[]): Reader<Word> {
  const read = (text: string): Word => {
    if ((words as readonly string[]).includes(text)) return text as Word;
    throw new UsageError({
      got: JSON.stringify(text),
      expected: words.join(', '),
      where: option,
      remedy: didYouMean(text, words) ?? 'Choose one of these.',
    });
  };
  return knowing(words, read, () => ({ enum: words }));
}

/** The same reader, with words that are among what it takes. */
export function knowing<Value>(
  words: readonly string[],
  read: (text: string, before?: Value) => Value,
  schema: () => ValueSchema = () => ({ type: 'string' }),
): Reader<Value> {
  // commander hands over the default as what came before
  return Object.assign((text: string, before?: Value) => read(text, before), { words, schema });
}

/** An option that may be given several times: the values of all are one list. */
export function repeatedly(read: (text: string) => readonly string[]): Reader<readonly string[]> {
  const reader = knowing<readonly string[]>([], (text, before = []) => [...before, ...read(text)]);
  return Object.assign(reader, { isRepeated: true } as const);
}

/** Items between commas, white space around them dropped; an empty text is an empty list. */
export function list(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((item) => item.trim());
}

/** Such lists: one that is given again adds to the first, which would be forgotten without a word. */
export const lists = knowing<readonly string[]>([], (text, before = []) => [...before, ...list(text)]);

/** Columns between commas, as often as they are given: one that has a comma in its name stands in double quotes. */
export const columnLists = knowing<readonly string[]>([], (text, before = []) => [...before, ...columnsIn(text)]);
