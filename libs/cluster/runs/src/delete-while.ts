import type { ObjectStore } from '@orchard/storage';

export const deletionsAtOnce = 32;

/**
 * Deletes objects, a few at a time, until something has changed about what they belong to.
 *
 * @returns how many are deleted
 */
export async function deleteWhile(
  isAsItWas: () => Promise<boolean>,
  store: ObjectStore,
  entries: readonly { readonly name: string }[],
): Promise<number> {
  for (let at = 0; at < entries.length; at += deletionsAtOnce) {
    if (!(await isAsItWas())) return at;
    await Promise.all(entries.slice(at, at + deletionsAtOnce).map(({ name }) => store.delete(name)));
  }
  return entries.length;
}
