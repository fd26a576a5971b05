import { firstAndMore } from '@orchard/refusal';
import { quote } from '../errors.js';

const MOST_SUGGESTED = 3;
const COLUMNS_LISTED = 8;
/** Beyond this many names, or for longer ones, nothing is compared: a message may not take seconds. */
const MOST_NAMES = 2 ** 18;
const LONGEST = 60;

/**
 * The names that a misspelt one may mean, closest first, at most three: those within a third of its length in
 * insertions, deletions, replacements and swaps of neighbours, and those of a one-hot column of that name. Case does
 * not count.
 */
export function closestNames(text: string, names: readonly string[]): string[] {
  const wanted = text.toLowerCase();
  if (wanted === '' || wanted.length > LONGEST || names.length > MOST_NAMES) return [];
  const most = Math.floor(wanted.length / 3);
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of names) {
    const known = name.toLowerCase();
    if (known.startsWith(`${wanted}=`)) found.push({ name, distance: 0 });
    else if (Math.abs(known.length - wanted.length) <= most) {
      const distance = editDistance(wanted, known);
      if (distance <= most) found.push({ name, distance });
    }
  }
  return found
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MOST_SUGGESTED)
    .map(({ name }) => name);
}

/** `Did you mean "smoker"?`, or null where no name is close. */
export function didYouMean(text: string, names: readonly string[]): string | null {
  const close = closestNames(text, names).map(quote);
  if (close.length === 0) return null;
  const last = close.pop()!;
  return `Did you mean ${close.length === 0 ? last : `${close.join(', ')} or ${last}`}?`;
}

/**
 * What to do about a column that is not there, the same of every command: `Did you mean "age"?`, or else the first
 * columns and how many more there are.
 */
export function correctColumn(text: string, columns: readonly string[]): string {
  const near = didYouMean(text, columns);
  return near ?? `Columns: ${firstAndMore(columns.map(quote), COLUMNS_LISTED)}.`;
}

/** The distance of Damerau and Levenshtein with swaps of neighbours only, by rows of its table. O(|left| |right|). */
export function editDistance(left: string, right: string): number {
  let older: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwap) least = Math.min(least, older[j - 2]! + 1);
      row.push(least);
    }
    older = above;
    above = row;
  }
  return above[right.length]!;
}
