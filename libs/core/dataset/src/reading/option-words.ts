import type { ReadOptions } from './options.js';

/** An option that says how files are read, and that a message may ask the caller to give. */
export type OptionName = Exclude<keyof ReadOptions, 'onMemory' | 'onNote' | 'shared' | 'wordFor'>;

/**
 * How the caller names an option: `--one-hot` on a command line, `?one-hot=` in a query; null where there is no such
 * option, and then no message advises it. Empty where messages are to do without.
 */
export type OptionWord<Name extends string = OptionName> = (option: Name) => string | null;

/** For those who call the library: its documentation has the names. */
export const noWord: OptionWord<string> = () => '';

/** `give a threshold (--threshold)`; null where one of the options is not there. */
export function advise<Name extends string>(
  wordFor: OptionWord<Name>,
  what: string,
  ...options: readonly Name[]
): string | null {
  const words = options.map(wordFor);
  if (words.includes(null)) return null;
  const said = words.filter((word) => word !== '').join(', ');
  return said === '' ? what : `${what} (${said})`;
}

/** As {@link advise}, for what makes sense without a word for the option too. */
export function withWord<Name extends string>(
  wordFor: OptionWord<Name>,
  what: string,
  ...options: readonly Name[]
): string {
  return advise(wordFor, what, ...options) ?? what;
}

/** The sentences that there are, one after another. */
export function sentences(...parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .map((part) => `${part}.`)
    .join(' ');
}
