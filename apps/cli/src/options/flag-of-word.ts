import { wordFlags, type RunWords } from '@orchard/contracts';

/** A word of a request as the command line writes it: `pseudo-count` for `pseudoCount`. */
export function dashed(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** How the command line calls a word of a request: `--pseudo-count`, `--variant max-predictors`. */
export function flagOfWord(key: string): string {
  const isVariant = wordFlags[key as keyof RunWords]?.isVariant === true;
  return isVariant ? `--variant ${dashed(key)}` : `--${dashed(key)}`;
}

/** The flag of the first of some options that was given. */
export function firstSaid<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
): string | null {
  const said = names.find((name) => options[name] !== undefined);
  return said === undefined ? null : flagOfWord(said);
}
