import type { Table } from '@orchard/contracts';
import type { BitMatrix } from '../bit-matrix.js';
import type { RawTable } from '../table-files/raw-table.js';
import { assignRows, type SplitFractions } from '../split.js';
import { countRows, encodeTable } from './encode-table.js';
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
}

/**
 * Reads the splits of a table. What the columns are is told from all rows of the training file; labels, cells and cuts are
 * those of the training rows alone, so that nothing is known of rows that validate or test.
 *
 * @param fractions rows of the training file that validate or test, where there is no file for them
 */
export async function readTableSplits(
  { train, valid, test }: TableSources,
  fractions: SplitFractions,
  seed: number,
  options: TableOptions,
): Promise<TableSplits> {
  const profile = await profileTable(train, options);
  options.checkRows?.(profile.rows);
  const isSplit = (fractions.valid ?? 0) > 0 || (fractions.test ?? 0) > 0;
  const splitOf = isSplit ? assignRows(profile.rows, fractions, seed) : null;
  const inferred = await tableOf(
    train,
    profile,
    splitOf === null ? null : splitOf.map((split) => (split === 0 ? 1 : 0)),
    options,
  );
  const counts = [profile.rows, 0, 0];
  for (const split of splitOf ?? []) {
    if (split === 0) continue;
    counts[split]!++;
    counts[0]!--;
  }
  const { wordFor } = options;
  const sides = await encodeTable(train, inferred, counts, { splitOf, refine: withTellingCuts, wordFor });
  const { table } = sides[0]!.matrix.tableRows!;
  const other = async (raw: RawTable | null, index: 1 | 2) => {
    if (raw !== null) return (await encodeTable(raw, table, [await countRows(raw)], { wordFor }))[0]!;
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
  return { table, train: sides[0]!.matrix, valid: validation?.matrix ?? null, test: testing?.matrix ?? null, unseen };
}
