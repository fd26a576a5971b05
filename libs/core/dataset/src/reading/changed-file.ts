import type { DatasetError } from '../errors.js';
import type { RawTable } from '../table-files/raw-table.js';

/** A file that may be written to while it is read. */
interface ChangingFile {
  change?(): Promise<DatasetError | null>;
}

/** What reading a file fails with: that it was changed, where it was, and else what was found in it. */
export async function changeOr(file: ChangingFile, error: unknown): Promise<unknown> {
  return (await file.change?.()) ?? error;
}

/** Reads of a file; where it was changed meanwhile, that is why it is refused. */
export async function refusingChange<Rows>(file: ChangingFile, read: () => Promise<Rows>): Promise<Rows> {
  try {
    return await read();
  } catch (error) {
    throw await changeOr(file, error);
  }
}

/** The same table, whose rows are refused so. */
export function tableRefusingChange(file: ChangingFile, raw: RawTable): RawTable {
  const { withMarks, withEmptyTexts } = raw;
  return {
    ...raw,
    async *batches(needed) {
      try {
        yield* raw.batches(needed);
      } catch (error) {
        throw await changeOr(file, error);
      }
    },
    ...(withMarks && { withMarks: (columns) => tableRefusingChange(file, withMarks(columns)) }),
    ...(withEmptyTexts && { withEmptyTexts: tableRefusingChange(file, withEmptyTexts) }),
  };
}
