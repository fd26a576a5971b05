import { firstThat } from '@orchard/numerics';
import { entriesBelow, largestPage, type ObjectEntry, type ObjectStore } from '@orchard/storage';

/**
 * A store as one look at a run sees it: the run's folder is listed once, when it is first asked about, and whatever is
 * asked about names in it is answered from that. So what is missing and what has failed are of one moment, for one
 * listing. Reads and writes go through; what is written is not seen.
 */
export function seenOnce(store: ObjectStore, folder: string): ObjectStore {
  let listing: Promise<readonly ObjectEntry[]> | null = null;
  const seen = (): Promise<readonly ObjectEntry[]> => {
    listing ??= entriesBelow(store, folder);
    return listing;
  };
  return {
    put: (name, bytes) => store.put(name, bytes),
    get: (name, range) => store.get(name, range),
    delete: (name) => store.delete(name),
    head: async (name) => {
      if (!name.startsWith(folder)) return store.head(name);
      const entries = await seen();
      const entry = entries[firstAt(entries, name)];
      return entry?.name === name ? entry : null;
    },
    list: async (prefix, options = {}) => {
      if (!prefix.startsWith(folder)) return store.list(prefix, options);
      const { after = '', limit = largestPage } = options;
      const entries = await seen();
      const start = Math.max(firstAt(entries, prefix), firstAt(entries, `${after}\0`));
      const page = entries.slice(start, start + limit);
      const end = page.findIndex(({ name }) => !name.startsWith(prefix));
      return end < 0 ? page : page.slice(0, end);
    },
  };
}

/** Where the first name that is not before `name` is. */
function firstAt(entries: readonly ObjectEntry[], name: string): number {
  return firstThat(entries.length, (place) => entries[place]!.name >= name);
}
