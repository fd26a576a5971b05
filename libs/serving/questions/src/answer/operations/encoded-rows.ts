import {
  DatasetError,
  encodeTable,
  isHole,
  numberOf,
  type BitMatrix,
  type EncodedRows,
  type RawBatch,
  type RawTable,
} from '@orchard/dataset';
import { knownBits, misfitWords, NewCellCounts, type TabularModel } from '@orchard/model';
import { rowsAsTrained, type RowsDocument } from '../rows.js';

/** Rows as codes, and of each bit whether it is known. */
export interface KnownRows extends EncodedRows {
  readonly known: BitMatrix;
  /** Rows with unknown values. */
  readonly incomplete: readonly number[];
  /** The number of a cell; NaN where it is missing or not a number, and where numbers were not asked for. */
  numberAt(row: number, variable: number): number;
  /** What is made of cells that are not read as they stand, one sentence each. */
  readonly said: readonly string[];
}

/** What is asked of rows beside their codes. */
interface CodesAsked {
  /** Whether a missing value is a value, where training had some, or not known. A bit is not known. */
  readonly missing: 'value' | 'unknown';
  /** Whether numbers of cells are asked for. @default false */
  readonly withNumbers?: boolean;
}

/**
 * The rows of a question as codes of the model's columns.
 *
 * @throws DatasetError for rows of other columns than the model's
 */
export async function codedRows(
  model: TabularModel,
  rows: RowsDocument,
  { missing, withNumbers = false }: CodesAsked,
): Promise<KnownRows> {
  const { table, remarks } = await rowsAsTrained(rows, model);
  const options = { missing, withDensities: true, mayBeUnknown: true } as const;
  const [encoded] = await encodeTable(table, model.table, [rows.count], options);
  const known = knownBits(encoded!, model);
  const becomes = missing === 'unknown' ? 'kept as written' : 'counted as missing';
  const said = [
    ...remarks,
    ...new NewCellCounts(model)
      .add(encoded!)
      .cells.filter(({ misfits }) => misfits > 0)
      .map((cells) => misfitWords(cells, becomes)),
  ];
  const incomplete = encoded!.known === null ? [] : incompleteRows(model, known);
  return { ...encoded!, known, said, incomplete, numberAt: withNumbers ? await numbersOf(table, model) : () => NaN };
}

/**
 * The same of rows without unknown values: one that is missing is a value of a table, where training had some.
 *
 * @throws DatasetError `missing-value` for a bit that is not known
 */
export async function wholeRows(model: TabularModel, document: RowsDocument, withNumbers = false): Promise<KnownRows> {
  const rows = await codedRows(model, document, { missing: 'value', withNumbers });
  const [row] = rows.incomplete;
  if (model.ofBits === undefined || row === undefined) return rows;
  const column = model.table.variables.findIndex((_, index) => rows.known.get(row, model.offsets[index]!) === 0);
  throw new DatasetError('missing-value', {
    got: 'a missing value',
    expected: '0 or 1',
    where: `X, row ${String(row + 1)}, column ${String(column + 1)}`,
    remedy: 'Fill in missing values first: complete does.',
  });
}

/** The numbers of cells, for those who ask for them; NaN where a cell is missing or not a number. */
async function numbersOf(raw: RawTable, { table }: TabularModel): Promise<KnownRows['numberAt']> {
  const places = table.variables.map(({ name }) => raw.columns.indexOf(name));
  const batches: RawBatch[] = [];
  for await (const batch of raw.batches(new Set(places))) batches.push(batch);
  return (row, index) => {
    const variable = table.variables[index]!;
    let first = 0;
    for (const { rows, columns } of batches) {
      if (row < first + rows) {
        const cell = columns[places[index]!]!.at(row - first);
        return variable.kind === 'ordered' && !isHole(cell) ? numberOf(cell, variable.format) : NaN;
      }
      first += rows;
    }
    return NaN;
  };
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
