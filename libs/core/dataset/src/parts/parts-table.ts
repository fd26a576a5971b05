import { DatasetError, quote } from '../errors.js';
import type { RowFile } from '../reading/row-file.js';
import { listNames } from '../rows/columns.js';
import type { RawBatch, RawTable } from '../table-files/raw-table.js';
import type { FileOfParts } from './file-of-parts.js';

/** Columns that a refusal names. */
const MOST_NAMED = 3;

/**
 * The rows of typed files, one file after another. Each is opened with every pass and closed behind it: memory is that
 * of one.
 *
 * @param open opens one of them
 * @throws DatasetError where they have not the same columns of the same types
 */
export async function tableOfParts(
  { name, parts, close }: FileOfParts,
  open: (part: RowFile) => Promise<RawTable>,
): Promise<RawTable> {
  const filled: RowFile[] = [];
  const fractions = new Set<number>();
  let first: RawTable | null = null;
  let kinds: (string | null)[] = [];
  for (const part of parts) {
    const raw = await openFilled(part, open);
    if (raw === null) continue;
    if (first === null) {
      first = raw;
      kinds = [...(raw.kinds ?? [])];
    } else {
      checkNames(raw, first);
      kinds = sameKinds(raw, first, kinds);
    }
    raw.fractions?.forEach((column) => fractions.add(column));
    filled.push(part);
  }
  if (first === null)
    throw new DatasetError('empty', {
      got: 'parts without a row',
      expected: 'at least one row',
      where: name,
      remedy: 'Check that the right files were given.',
    });
  async function* batches(needed?: ReadonlySet<number>): AsyncGenerator<RawBatch, void> {
    for (const part of filled) {
      const raw = await openFilled(part, open);
      if (raw !== null) yield* withoutNone(raw.batches(needed));
    }
  }
  return { ...first, name, kinds, fractions, batches, close };
}

/** Null of a part without rows. */
async function openFilled(part: RowFile, open: (part: RowFile) => Promise<RawTable>): Promise<RawTable | null> {
  try {
    return await open(part);
  } catch (error) {
    if (error instanceof DatasetError && error.code === 'empty') return null;
    throw error;
  }
}

/** Some formats show only at their end that they have no row. */
async function* withoutNone(batches: AsyncIterable<RawBatch>): AsyncGenerator<RawBatch, void> {
  try {
    yield* batches;
  } catch (error) {
    if (!(error instanceof DatasetError) || error.code !== 'empty') throw error;
  }
}

function checkNames({ name, columns }: RawTable, first: RawTable): void {
  const missing = first.columns.filter((column) => !columns.includes(column));
  const more = columns.filter((column) => !first.columns.includes(column));
  const isSame = columns.length === first.columns.length && columns.every((column, i) => column === first.columns[i]);
  if (isSame) return;
  const differences = [
    ...(missing.length > 0 ? [`no ${listNames(missing)}`] : []),
    ...(more.length > 0 ? [`${listNames(more)} beside them`] : []),
  ];
  throw new DatasetError('column', {
    got: differences.length > 0 ? differences.join(', and ') : `the columns in another order: ${listNames(columns)}`,
    expected: `the columns of ${first.name}: ${listNames(first.columns)}`,
    where: name,
    remedy: 'Write all parts with the same columns in the same order.',
  });
}

/** What each column has, where a part knew it. @throws DatasetError where another has something else */
function sameKinds(raw: RawTable, first: RawTable, known: readonly (string | null)[]): (string | null)[] {
  const kinds = raw.kinds ?? [];
  const others = known.flatMap((kind, i) => {
    const other = kinds[i] ?? null;
    return kind === null || other === null || kind === other ? [] : [{ column: raw.columns[i]!, kind, other }];
  });
  if (others.length === 0) return known.map((kind, i) => kind ?? kinds[i] ?? null);
  const listed = others.slice(0, MOST_NAMED);
  const more = others.length > MOST_NAMED ? `, and ${others.length - MOST_NAMED} more` : '';
  throw new DatasetError('column', {
    got: `${listed.map(({ column, other }) => `${other} in ${quote(column)}`).join(', ')}${more}`,
    expected: `${listed.map(({ column, kind }) => `${kind} in ${quote(column)}`).join(', ')}, as in ${first.name} and those before`,
    where: raw.name,
    remedy: 'Write all parts with the same types.',
  });
}
