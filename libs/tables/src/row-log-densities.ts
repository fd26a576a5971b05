import { codeOffsets, isTail, logDensityIn, readCodes, type BitMatrix } from '@orchard/dataset';

/** What densities add to the log-probabilities of codes. */
export interface RowLogDensities {
  /** Nats of each row. */
  readonly nats: Float64Array;
  /** Whether a value lies in an outermost cell, of which rows of codes hold the sum alone: each has the mean then. */
  readonly hasMeans: boolean;
}

/** As `meanLogDensities`, row by row. @param rows of a table */
export function rowLogDensities(rows: BitMatrix): RowLogDensities {
  const { table, tailNats } = rows.tableRows!;
  const offsets = codeOffsets(table);
  const nats = new Float64Array(rows.rows);
  let hasMeans = false;
  table.variables.forEach((variable, index) => {
    if (variable.kind !== 'ordered') return;
    const codes = readCodes(rows, offsets[index]!, offsets[index + 1]!);
    const tails = codes.reduce((sum, code) => sum + (isTail(variable, code) ? 1 : 0), 0);
    const mean = tails === 0 ? 0 : tailNats[index]! / tails;
    hasMeans ||= tails > 0;
    codes.forEach((code, row) => (nats[row]! += isTail(variable, code) ? mean : logDensityIn(variable, code, 0)));
  });
  return { nats, hasMeans };
}
