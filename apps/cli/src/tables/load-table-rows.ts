import { codeOffsets, encodeTable, openTable, type BitMatrix, type EncodedRows, type RawTable } from '@orchard/dataset';
import { TableModel } from '@orchard/tables';
import { UsageError } from '../errors.js';
import type { LoadedNetwork } from '../load-network.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import { refuseWordsOfBits, tableFileOptions, type TableFileWords } from '../options/table-options.js';
import type { Terminal } from '../output/terminal.js';

export type TableRowsOptions = DatasetOptions & TableFileWords;

/** Rows of a table for a model, whose variables say how they are read. */
export interface LoadedTableRows extends EncodedRows {
  /** As {@link EncodedRows.known}, of all rows. */
  readonly knownBits: BitMatrix;
  readonly hasUnknown: boolean;
}

/** The model of a table, or null where it is of another kind. */
export function tableModelOf({ network }: LoadedNetwork): TableModel | null {
  return network instanceof TableModel ? network : null;
}

/** @throws UsageError for a model of another kind */
export function requireTableModel(loaded: LoadedNetwork): TableModel {
  const model = tableModelOf(loaded);
  if (model !== null) return model;
  throw new UsageError({
    got: `${loaded.path}, a model of the family ${loaded.network.family}`,
    expected: 'the model of a table',
    where: 'NETWORK',
    remedy: 'Train on a table (orchard describe shows what a file is).',
  });
}

/**
 * @param missing what a hole means: a value where training had holes, or that the value is not known
 */
export async function loadTableRows(
  file: string,
  model: TableModel,
  options: TableRowsOptions,
  missing: 'value' | 'unknown',
  terminal: Terminal,
): Promise<LoadedTableRows> {
  refuseWordsOfBits(options);
  const raw = await openTable(file, tableFileOptions(options));
  try {
    const rows = await countRowsOf(raw);
    const [encoded] = await encodeTable(raw, model.table, [rows], {
      missing,
      withDensities: true,
      withTexts: true,
      mayBeUnknown: true,
    });
    const { unseen } = encoded!;
    model.table.variables.forEach(({ name }, index) => {
      if (unseen[index]! > 0)
        terminal.note(`orchard: ${String(unseen[index])} values of ${JSON.stringify(name)} that training never saw`);
    });
    return {
      ...encoded!,
      knownBits: encoded!.known ?? allKnown(encoded!.matrix, model),
      hasUnknown: encoded!.known !== null,
    };
  } finally {
    await raw.close();
  }
}

async function countRowsOf(raw: RawTable): Promise<number> {
  let count = 0;
  for await (const { rows } of raw.batches()) count += rows;
  if (count > 0) return count;
  throw new UsageError({
    got: 'no rows',
    expected: 'at least one',
    where: raw.name,
    remedy: 'Check that the right file was given.',
  });
}

function allKnown(matrix: BitMatrix, model: TableModel): BitMatrix {
  const known = model.emptyRows(matrix.rows);
  const width = codeOffsets(model.table)[model.variables]!;
  for (let row = 0; row < known.rows; row++) for (let bit = 0; bit < width; bit++) known.set(row, bit, 1);
  return known;
}
