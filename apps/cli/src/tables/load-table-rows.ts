import {
  codeOffsets,
  countRows,
  encodeTable,
  keptTable,
  openTable,
  type BitMatrix,
  type EncodedRows,
  type RawTable,
} from '@orchard/dataset';
import { isTabular, misfitsByColumn, newCellsOf, seenWords, type NewCells, type TabularModel } from '@orchard/model';
import { UsageError } from '../errors.js';
import type { LoadedNetwork } from '../models/load-network.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import { refuseWordsOfBits, tableFileOptions, type TableFileWords } from '../options/table-options.js';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';

export type TableRowsOptions = DatasetOptions & TableFileWords;

/** The model of a table, or null where it is of another kind. */
export function tableModelOf({ network }: LoadedNetwork): TabularModel | null {
  return isTabular(network) ? network : null;
}

/** @throws UsageError for a model of another kind */
export function requireTableModel(loaded: LoadedNetwork): TabularModel {
  const model = tableModelOf(loaded);
  if (model !== null) return model;
  throw new UsageError({
    got: `${loaded.path}, a model of the family ${loaded.network.family}`,
    expected: 'the model of a table',
    where: 'NETWORK',
    remedy: 'Train on a table (orchard describe shows what a file is).',
  });
}

/** Opens a file as a table: what every command reads a table by that does not train. */
export function openTableFile(file: string, options: TableRowsOptions): Promise<RawTable> {
  return openTable(file, tableFileOptions(options));
}

/**
 * The same for as long as it is used.
 *
 * @param terminal reports what is found out while rows are read, as lines that are passed over. @default not at all,
 *   where another pass over the file does
 */
export async function useTable<Result>(
  file: string,
  options: TableRowsOptions,
  use: (raw: RawTable) => Promise<Result>,
  terminal?: Terminal,
): Promise<Result> {
  const raw = await openTableFile(file, options);
  const known = raw.notes.length;
  try {
    const result = await use(raw);
    raw.notes.slice(known).forEach((note) => terminal?.note(`orchard: ${file}: ${note}`));
    return result;
  } finally {
    await raw.close();
  }
}

/**
 * Rows of a table for a model, whose variables say how they are read.
 *
 * @param missing what a missing value means: a value of its own where training had some, or an unknown value
 */
export async function loadTableRows(
  file: string,
  model: TabularModel,
  options: TableRowsOptions,
  missing: 'value' | 'unknown',
  terminal: Terminal,
): Promise<EncodedRows> {
  refuseWordsOfBits(options);
  return useTable(
    file,
    options,
    async (opened) => {
      const raw = keptTable(opened);
      try {
        const rows = await countRows(raw);
        if (rows === 0) refuseNoRows(raw);
        const [encoded] = await encodeTable(raw, model.table, [rows], {
          missing,
          withDensities: true,
          mayBeUnknown: true,
        });
        const misfits = misfitsByColumn(encoded!.misfits, model.variables);
        reportNewCells(newCellsOf(encoded!.unseen, misfits, model), terminal);
        return encoded!;
      } finally {
        await raw.discard();
      }
    },
    terminal,
  );
}

/** Reports what of each column training had nothing like. */
export function reportNewCells(cells: readonly NewCells[], terminal: Terminal): void {
  for (const { column, unseen, misfits, ...rest } of cells) {
    const name = JSON.stringify(column);
    if (unseen > 0) terminal.note(`orchard: ${counted(unseen, 'value')} of ${name} ${seenWords(rest)}`);
    if (misfits > 0)
      terminal.remark(
        `${counted(misfits, 'cell that does', 'cells that do')} not fit the column ${name}, counted as missing`,
      );
  }
}

export function refuseNoRows(raw: RawTable): never {
  throw new UsageError({
    got: 'no rows',
    expected: 'at least one',
    where: raw.name,
    remedy: 'Check that the right file was given.',
  });
}

/** Of each bit of the rows 1 where it is known. */
export function knownBits({ known, matrix }: EncodedRows, model: TabularModel): BitMatrix {
  if (known !== null) return known;
  const all = model.emptyRows(matrix.rows);
  const width = codeOffsets(model.table)[model.variables]!;
  for (let row = 0; row < all.rows; row++) for (let bit = 0; bit < width; bit++) all.set(row, bit, 1);
  return all;
}
