import type { RawTable } from '../table-files/raw-table.js';
import type { ReadingOptions } from './find-readings.js';

/**
 * A typed file or JSON without the columns that were said to be excluded: their cells, which may be none that are read,
 * are neither read nor written. A text stays as it is, cell by cell.
 */
export function withoutExcluded(raw: RawTable, { types = {} }: ReadingOptions): RawTable {
  const excluded = new Set<number>();
  raw.columns.forEach((name, at) => {
    if (Object.hasOwn(types, name) && types[name] === 'excluded') excluded.add(at);
  });
  if (excluded.size === 0 || raw.written !== undefined) return raw;
  const all = [...raw.columns.keys()];
  const unreadable = new Map([...(raw.unreadable ?? []), ...[...excluded].map((at) => [at, 'excluded'] as const)]);
  const left = (needed: Iterable<number>): ReadonlySet<number> =>
    new Set([...needed].filter((column) => !excluded.has(column)));
  return { ...raw, unreadable, batches: (needed) => raw.batches(left(needed ?? all)) };
}
