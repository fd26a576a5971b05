import {
  bitTable,
  placesInFile,
  countRows,
  DatasetError,
  openTableFrom,
  type MaskedRows,
  type RawTable,
  type RowFile,
  type SecondFile,
} from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { useMaskedRows } from '../../rows/load-network.js';
import { saysBits, readingOfFile } from '../../options/table-options.js';
import type { Terminal } from '../../output/terminal.js';
import { useSecondFile, type TableRowsOptions } from '../../rows/load-table-rows.js';

/** A file for a model, and what of it is written back. */
export interface OpenedFile extends SecondFile {
  /** The rows as they stand in the file. */
  readonly raw: RawTable;
  /** Of each variable the number of its column there. */
  readonly places: readonly number[];
}

/**
 * A file whose missing values are filled in, for as long as it is used. Rows of 0 and 1 are read in any of their
 * formats; those of a text are written back as they stand in it, where each of its cells is one of them.
 *
 * @param writesText whether what is written may be such a text
 */
export function useFileToFill<Result>(
  file: string,
  model: TabularModel,
  options: TableRowsOptions,
  terminal: Terminal,
  writesText: boolean,
  use: (opened: OpenedFile) => Promise<Result>,
): Promise<Result> {
  const { ofBits, table } = model;
  if (ofBits === undefined)
    return useSecondFile(file, model, options, terminal, (second, raw) =>
      use({ ...second, raw, places: placesInFile(raw, table) }),
    );
  return useMaskedRows(file, ofBits, options, terminal, async (opened, read, order) => {
    const { values, known } = order === null ? read : inOrder(read, order);
    const bits = bitTable(values, file, known);
    const text = writesText && !saysBits(options) ? await textOf(opened, read, options) : null;
    const inPlace = [...bits.columns.keys()];
    return use({
      table: bits,
      readings: [],
      remarks: [],
      raw: text ?? bits,
      places: text === null || order === null ? inPlace : [...order],
    });
  });
}

function inOrder({ values, known }: MaskedRows, order: Uint32Array): MaskedRows {
  return { values: values.selectColumns(order), known: known.selectColumns(order) };
}

/** The text of the file, cell by cell; null where that is not what was read: digits in a row, labels, numbers. */
async function textOf(file: RowFile, { values }: MaskedRows, options: TableRowsOptions): Promise<RawTable | null> {
  try {
    const raw = await openTableFrom(file, { ...readingOfFile(options), header: values.names !== null });
    const isSame = raw.written !== undefined && raw.columns.length === values.dimensions;
    return isSame && (await countRows(raw)) === values.rows ? raw : null;
  } catch (error) {
    if (error instanceof DatasetError) return null;
    throw error;
  }
}
