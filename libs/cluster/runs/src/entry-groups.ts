import type { ObjectEntry } from '@orchard/storage';

/**
 * Entries that follow one another and belong together, group after group.
 *
 * @param keyOf what a name belongs to; null where that is nothing that is looked for
 */
export async function* groupsOf(
  entries: AsyncIterable<ObjectEntry>,
  keyOf: (name: string) => string | null,
): AsyncGenerator<[key: string, entries: readonly ObjectEntry[]], void, undefined> {
  let current: [string, ObjectEntry[]] | null = null;
  for await (const entry of entries) {
    const key = keyOf(entry.name);
    if (key === null) continue;
    if (current?.[0] === key) current[1].push(entry);
    else {
      if (current !== null) yield current;
      current = [key, [entry]];
    }
  }
  if (current !== null) yield current;
}
