import { encodeTable, type BitMatrix, type EncodedRows } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { knownBits } from '../../tables/load-table-rows.js';
import { asTableRows, rawTableOf, type RowsDocument } from '../rows.js';

/** Rows as codes, and of each bit whether it is known. */
export interface KnownRows extends EncodedRows {
  readonly known: BitMatrix;
  /** Rows with unknown values. */
  readonly incomplete: readonly number[];
}

/** @param missing whether a missing value is a value, where training had some, or not known */
export async function encodedRows(
  model: TabularModel,
  document: RowsDocument,
  missing: 'value' | 'unknown',
): Promise<KnownRows> {
  const rows = asTableRows(document);
  const options = { missing, withDensities: true, mayBeUnknown: true } as const;
  const [encoded] = await encodeTable(rawTableOf(rows), model.table, [rows.count], options);
  const known = knownBits(encoded!, model);
  return { ...encoded!, known, incomplete: encoded!.known === null ? [] : incompleteRows(model, known) };
}

function incompleteRows(model: TabularModel, known: BitMatrix): number[] {
  const rows = Array.from({ length: known.rows }, (_, row) => row);
  return rows.filter((row) => model.table.variables.some((_, index) => known.get(row, model.offsets[index]!) === 0));
}

/** What training never saw, by column. */
export function unseenOf({ unseen }: EncodedRows, { table }: TabularModel): Record<string, number> {
  const counted = table.variables.map(({ name }, index) => [name, unseen[index]!] as const);
  return Object.fromEntries(counted.filter(([, times]) => times > 0));
}
