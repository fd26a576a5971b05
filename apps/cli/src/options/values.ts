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
  expected: string,
  read: (text: string) => Value | undefined,
  schema?: () => ValueSchema,
): ReaderFor<Value> {
  return (where) => {
    const readOrRefuse = (text: string): Value => {
      const value = read(text);
      if (value !== undefined) return value;
      throw new UsageError({ got: JSON.stringify(text), expected, where, remedy: 'Correct the option.' });
    };
    return knowing([], readOrRefuse, schema);
  };
}

/** A whole number within the limits. */
export function wholeNumber(least: number, most: number): ReaderFor<number> {
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  const expected = `a whole number from ${String(least)}${isOpen ? '' : ` to ${String(most)}`}`;
  const read = (text: string): number | undefined => {
    const value = numberOrText(text);
    const isWithin = typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
    return isWithin ? value : undefined;
  };
  return ofForm(expected, read, () => ({ type: 'integer', minimum: least, ...(!isOpen && { maximum: most }) }));
}

/** A finite number that `accepts`. */
export function number(expected: string, accepts: (value: number) => boolean): ReaderFor<number> {
  const read = (text: string): number | undefined => {
    const value = numberOrText(text);
    return typeof value === 'number' && Number.isFinite(value) && accepts(value) ? value : undefined;
  };
  return ofForm(expected, read, () => ({ type: 'number' }));
}

/** A share that is neither none nor all. */
export const share = number('a number between 0 and 1', (value) => value > 0 && value < 1);

/** What reads the text of an option, and knows words that it may be, which shells then offer. */
export interface Reader<Value> {
  (text: string, before?: Value): Value;
  readonly words: readonly string[];
  /** Of the value before it is written as text; made when it is asked for, which few commands do. */
  readonly schema: () => ValueSchema;
  /** Whether its option may be given several times. */
  readonly isRepeated?: true;
}

/** @param where the option that has the text, as `--out` */
export type ReaderFor<Value> = (where: string) => Reader<Value>;

/** @throws UsageError unless `text` is one of the words */
export function oneOf<const Word extends string>(words: readonly Word[]): ReaderFor<Word> {
  return (where) => {
    const read = (text: string): Word => {
      if ((words as readonly string[]).includes(text)) return text as Word;
      throw new UsageError({
        got: JSON.stringify(text),
        expected: words.join(', '),
        where,
        remedy: didYouMean(text, words) ?? 'Choose one of these.',
      });
    };
    return knowing(words, read, () => ({ enum: words }));
  };
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
export function repeatedly(read: (text: string) => readonly string[] = (text) => [text]): ReaderFor<readonly string[]> {
  const reader = knowing<readonly string[]>([], (text, before = []) => [...before, ...read(text)]);
  return () => Object.assign(reader, { isRepeated: true } as const);
}

/** Items between commas, white space around them dropped; an empty text is an empty list. */
export function list(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((item) => item.trim());
}

/** Such lists: one that is given again adds to the first, which would be forgotten without a word. */
export const lists: ReaderFor<readonly string[]> = () => knowing([], (text, before = []) => [...before, ...list(text)]);

/** Columns between commas, as often as they are given: one that has a comma in its name stands in double quotes. */
export const columnLists: ReaderFor<readonly string[]> = () =>
  knowing([], (text, before = []) => [...before, ...columnsIn(text)]);
