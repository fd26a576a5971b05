import type { Table } from '@orchard/contracts';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { markedTable, type RawTable } from '../table-files/raw-table.js';
import { assignRows, isSplit, NOT_TAKEN, type SplitFractions } from '../rows/split.js';
import { DatasetError, quote } from '../errors.js';
import { readAsTrained } from '../second-file/find-readings.js';
import { keptTable } from '../table-files/kept-columns.js';
import { encodeTable, findIncomplete, type EncodedRows } from './encode-table.js';
import { profileTable, tableOf, type TableOptions } from './infer-table.js';
import { withTellingCuts } from './telling-cuts.js';

/** The files of a table's splits. */
export interface TableSources {
  readonly train: RawTable;
  readonly valid: RawTable | null;
  readonly test: RawTable | null;
}

export interface TableSplits {
  readonly table: Table;
  readonly train: BitMatrix;
  readonly valid: BitMatrix | null;
  readonly test: BitMatrix | null;
  /** Values of validation and test rows that training rows never have, by column. */
  readonly unseen: Readonly<Record<string, number>>;
  /** Rows of separate files that are left out, since they have missing values where training has none. */
  readonly incomplete: readonly LeftOutRows[];
}

/** What was left out of one file. */
export interface LeftOutRows {
  readonly file: string;
  readonly rows: number;
  /** Rows of the file, those included. */
  readonly of: number;
  readonly columns: readonly string[];
}

/**
 * Reads the splits of a table. The kinds of columns are decided by all rows of the training file; labels, cells and
 * cuts are those of the training rows alone, so that nothing is known of rows that validate or test.
 *
 * A row of a separate file with a missing value where training has none says nothing of how likely it is as a whole: it
 * is left out, and counted.
 *
 * @param fractions rows of the training file that validate or test, where there is no file for them, and how many are
 *   taken in all
 */
export async function readTableSplits(
  sources: TableSources,
  fractions: SplitFractions,
  seed: number,
  options: TableOptions,
): Promise<TableSplits> {
  const [train, valid, test] = [sources.train, sources.valid, sources.test].map(
    (raw) => raw && keptTable(markedTable(raw)),
  );
  try {
    return await readKept({ train: train!, valid: valid ?? null, test: test ?? null }, fractions, seed, options);
  } finally {
    for (const table of [train, valid, test]) await table?.discard();
  }
}

async function readKept(
  { train, valid, test }: TableSources,
  fractions: SplitFractions,
  seed: number,
  options: TableOptions,
): Promise<TableSplits> {
  const profile = await profileTable(train, options, !isSplit(fractions));
  options.checkRows?.(profile.rows);
  const splitOf = isSplit(fractions) ? assignRows(profile.rows, fractions, seed) : null;
  const inferred = await tableOf(train, profile, splitOf, options);
  const counts = [profile.rows, 0, 0];
  for (let row = 0; splitOf !== null && row < splitOf.length; row++) {
    const split = splitOf[row]!;
    if (split === 0) continue;
    if (split !== NOT_TAKEN) counts[split]!++;
    counts[0]!--;
  }
  const sides = await encodeTable(train, inferred, counts, { splitOf, refine: withTellingCuts });
  const { table } = sides[0]!.matrix.tableRows!;
  const incomplete: LeftOutRows[] = [];
  const other = async (raw: RawTable | null, index: 1 | 2) => {
    if (raw !== null) return encodeWhole(await asTrained(raw, table, options), table, incomplete);
    return counts[index]! > 0 ? sides[index]! : null;
  };
  const [validation, testing] = [await other(valid, 1), await other(test, 2)];
  const unseen = Object.fromEntries(
    table.variables
      .map(({ name }, index): [string, number] => [
        name,
        (validation?.unseen[index] ?? 0) + (testing?.unseen[index] ?? 0),
      ])
      .filter(([, count]) => count > 0),
  );
  return {
    table,
    train: sides[0]!.matrix,
    valid: validation?.matrix ?? null,
    test: testing?.matrix ?? null,
    unseen,
    incomplete,
  };
}

/** A separate file with its cells as the training rows have them. */
async function asTrained(raw: RawTable, table: Table, { dates, onNote }: TableOptions): Promise<RawTable> {
  const second = await readAsTrained(raw, table, { dates });
  for (const remark of second.remarks) onNote?.(`${raw.name}: ${remark}`);
  return second.table;
}

/** The rows of a separate file that have no missing value where training has none. */
async function encodeWhole(raw: RawTable, table: Table, leftOut: LeftOutRows[]): Promise<EncodedRows> {
  const { rows, isIncomplete, incomplete, columns } = await findIncomplete(raw, table);
  if (incomplete === rows)
    throw new DatasetError('missing-value', {
      got: `a missing value in every row: in ${columns.map(quote).join(', ')}`,
      expected: 'rows with a value where the training rows have no missing value',
      where: raw.name,
      remedy: 'Give rows with these values, or train on rows with missing values in these columns.',
    });
  if (incomplete > 0) leftOut.push({ file: raw.name, rows: incomplete, of: rows, columns });
  const [encoded] = await encodeTable(raw, table, [rows - incomplete], { leftOut: isIncomplete });
  return encoded!;
}
