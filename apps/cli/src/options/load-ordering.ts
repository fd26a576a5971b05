import { readFile } from 'node:fs/promises';
import { AUTO, orderingKinds, type OrderingKind } from '@orchard/contracts';
import { closestNames, placeOfColumn } from '@orchard/dataset';
import { UsageError, messageOf } from '../output/errors.js';
import { partsOf, unquoted } from './given-words.js';

/** Orderings by a word. Which of them a model knows, its own words say. */
export const orderingNames = [...orderingKinds, AUTO] as const;

/** What stands before columns that come before all others. */
const FIRST = 'first:';

/**
 * What `--ordering` says: the name of an ordering, `first:a,b` for these columns before the others, or a file of
 * all columns, one a line or between commas, by name or by number. Numbers may count from 1 or from 0: a whole
 * permutation has a 0 in one case alone.
 *
 * @param names of the data, null where it has none
 * @throws UsageError on a file that cannot be read, and on a name or number that is not a column or there twice
 */
export async function loadOrdering(
  ordering: string,
  dimensions: number,
  names: readonly string[] | null,
): Promise<OrderingKind | typeof AUTO | number[]> {
  const named = orderingNames.find((name) => name === ordering);
  if (named !== undefined) return named;
  if (ordering.startsWith(FIRST)) return firstColumns(ordering, dimensions, names);
  const text = await readText(ordering);
  const items = text
    .split(/[\r\n,]+/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const refuse = (got: string): never => {
    throw new UsageError({
      got,
      expected: `each of the ${String(dimensions)} columns once, by name or by number`,
      where: `--ordering ${ordering}`,
      remedy: 'Write one column a line.',
    });
  };
  const places = new Map(names?.map((name, dim) => [name, dim]));
  const first = items.includes('0') && !places.has('0') ? 0 : 1;
  const seen = new Set<number>();
  const found = items.map((item) => {
    const dim = places.get(item) ?? (/^\d{1,8}$/.test(item) ? Number(item) - first : -1);
    if (dim < 0 || dim >= dimensions) refuse(JSON.stringify(item.slice(0, 60)));
    if (seen.has(dim)) refuse(`${JSON.stringify(item.slice(0, 60))} twice`);
    seen.add(dim);
    return dim;
  });
  if (found.length !== dimensions) refuse(`${String(found.length)} columns`);
  return found;
}

/** The named columns in the order in which they are said, then the others. */
function firstColumns(ordering: string, dimensions: number, names: readonly string[] | null): number[] {
  const known = names ?? Array.from({ length: dimensions }, (_, place) => String(place + 1));
  const first = partsOf(ordering.slice(FIRST.length), ',').map((name) =>
    placeOfColumn(unquoted(name), known, {
      where: `--ordering ${ordering}`,
      expected: 'columns that the model learns',
    }),
  );
  const before = [...new Set(first)];
  return [...before, ...known.keys()].filter((place, at) => at < before.length || !before.includes(place));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const [near] = closestNames(file, orderingNames);
    throw new UsageError(
      {
        got: `${JSON.stringify(file)}, ${isMissing ? 'and no such file is there' : `which cannot be read (${messageOf(cause)})`}`,
        expected: `${orderingNames.join(', ')}, first:a,b for the first columns, or a file of columns`,
        where: '--ordering',
        remedy: isMissing && near !== undefined ? `Did you mean ${JSON.stringify(near)}?` : 'Check the path.',
      },
      { cause },
    );
  }
}
