import { EXCLUDED, WEIGHS_ROWS } from '@orchard/dataset';
import { firstAndMore } from '@orchard/refusal';
import { count } from '../output/figures.js';

/** Columns for one reason that have a line each; of more, the first are named in one. */
const MOST_NAMED = 3;

/** One line per column that is not learned, and one for many of the same reason: a file may have hundreds of them. */
export function leftOutNotes(leftOut: readonly { readonly name: string; readonly why: string }[]): string[] {
  const columns = new Map<string, string[]>();
  // how they weigh the rows is reported instead
  const others = leftOut.filter(({ why }) => why !== WEIGHS_ROWS);
  for (const { name, why } of others) columns.set(why, [...(columns.get(why) ?? []), name]);
  return [...columns].flatMap(([why, names]) => {
    const kept = (name: string): string => (mayBeKept(why) ? ` (--type ${name}=… keeps it)` : '');
    if (names.length <= MOST_NAMED)
      return names.map((name) => `${JSON.stringify(name)} is left out: ${why}${kept(name)}`);
    return [`${firstNames(names)} are left out, each because ${why}${kept('NAME')}`];
  });
}

/** No type makes values of a column that has none, or none that can be read, and one was asked to be left out. */
function mayBeKept(why: string): boolean {
  return why !== 'it has no values' && why !== EXCLUDED && !why.startsWith('its cells are ');
}

/** `"a", "b", "c" and 287 more` */
export function firstNames(names: readonly string[]): string {
  return firstAndMore(
    names.map((name) => JSON.stringify(name)),
    MOST_NAMED,
    count,
  );
}
