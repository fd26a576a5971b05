import {
  encodeTable,
  isHole,
  numberOf,
  readAsTrained,
  type BitMatrix,
  type EncodedRows,
  type RawBatch,
  type RawTable,
} from '@orchard/dataset';
import { asTabular, NewCellCounts, type DensityModel, type TabularModel } from '@orchard/model';
import { knownBits, misfitWords } from '../../tables/load-table-rows.js';
import { asBitRows, asTableRows, bitsOf, rawTableOf, wholeBitsOf, type RowsDocument } from '../rows.js';

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

/**
 * @param missing whether a missing value is a value, where training had some, or not known
 * @param withNumbers whether numbers of cells are asked for
 */
export async function encodedRows(
  model: TabularModel,
  document: RowsDocument,
  missing: 'value' | 'unknown',
  withNumbers = false,
): Promise<KnownRows> {
  const rows = asTableRows(document);
  const { table, remarks } = await readAsTrained(rawTableOf(rows), model.table, { types: rows.types });
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

/** Rows of a question as the codes of a model's columns. */
export type CodedQuestion = Pick<KnownRows, 'matrix' | 'known' | 'misfits' | 'incomplete'>;

/**
 * The same of rows of any model, those of 0 and 1 too, of which every bit is a code.
 *
 * @throws DatasetError for rows of another kind than the model's
 */
export async function codedRows(
  model: DensityModel,
  document: RowsDocument,
  missing: 'value' | 'unknown',
): Promise<CodedQuestion> {
  const tabular = asTabular(model);
  if (model.table !== undefined) return encodedRows(tabular, document, missing);
  const { values: matrix, known } = bitsOf(asBitRows(document), model);
  return { matrix, known, misfits: new Set(), incomplete: incompleteRows(tabular, known) };
}

/**
 * The same of rows without unknown values: one that is missing is a value of a table, where training had some.
 *
 * @throws DatasetError `missing-value` for a bit that is not known
 */
export async function wholeRows(model: DensityModel, document: RowsDocument): Promise<CodedQuestion> {
  if (model.table === undefined) wholeBitsOf(asBitRows(document), model);
  return codedRows(model, document, 'value');
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
