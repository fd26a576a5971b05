import { UsageError } from '../../output/errors.js';
import { counted } from '../../output/figures.js';
import type { Terminal } from '../../output/terminal.js';

/** Times that rows are sampled anew before it is given up. */
const MOST_ATTEMPTS = 100;
/** Above this share of copies the samples are no longer distributed as the model has it, and it is said. */
const MANY = 0.2;
/** Seeds of further samples lie far from those that people choose. */
const SEEDS_APART = 2 ** 32;

/** Rows that were sampled, as a caller holds them. */
export interface Sampled {
  /** Equal for equal rows, and for no others. */
  keyOf(row: number): string;
  /** Samples as many rows by another seed, and replaces these with them. */
  replace(rows: readonly number[], seed: number): void;
}

/**
 * Replaces sampled rows that equal a row of a file by others.
 *
 * @param originals keys of the rows of the file
 * @throws UsageError where the model hardly samples anything else
 */
export function rejectCopies(
  { keyOf, replace }: Sampled,
  originals: ReadonlySet<string>,
  { count, seed, file }: { readonly count: number; readonly seed: number; readonly file: string },
  terminal: Terminal,
): number {
  const isCopy = (row: number): boolean => originals.has(keyOf(row));
  const first = Array.from({ length: count }, (_, row) => row).filter(isCopy);
  let copies = first;
  for (let attempt = 1; copies.length > 0; attempt++) {
    if (attempt > MOST_ATTEMPTS)
      throw new UsageError({
        got: `${counted(copies.length, 'sample')} of ${counted(count, 'row')} that equal a row of ${file} each time`,
        expected: 'a model that samples other rows too',
        where: '--reject-copies',
        remedy: 'Ask for fewer rows: so few columns of so few values have hardly any other rows.',
      });
    replace(copies, (seed + attempt * SEEDS_APART) % Number.MAX_SAFE_INTEGER);
    copies = copies.filter(isCopy);
  }
  terminal.note(`orchard: ${counted(first.length, 'sample')} that equal a row of ${file} sampled anew`);
  if (first.length > MANY * count)
    terminal.note(
      'orchard: warning: that many rows are usual values rather than copies; without them the samples no longer follow the distribution of the model',
    );
  return first.length;
}
