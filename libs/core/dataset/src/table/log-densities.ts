import type { BitMatrix } from '../rows/bit-matrix.js';
import { codeCount, codeOffsets, readCodes } from '../variables/codes.js';
import { addsToCodes, dependsOnValue, logDensityOfCode } from '../variables/density.js';

/** What densities add to the log-probabilities of codes. */
export interface RowLogDensities {
  /** Nats of each row. */
  readonly nats: Float64Array;
  /**
   * Whether some are of values whose codes do not say it, of which rows of codes hold the sum alone: each has the mean
   * then.
   */
  readonly hasMeans: boolean;
}

/** As `meanLogDensities`, row by row. */
export function rowLogDensities(rows: BitMatrix): RowLogDensities {
  const nats = new Float64Array(rows.rows);
  let hasMeans = false;
  const { document } = rows.columns;
  if (document === null) return { nats, hasMeans };
  const { table, tailNats } = document;
  const offsets = codeOffsets(table);
  table.variables.forEach((variable, index) => {
    if (!addsToCodes(variable)) return;
    const codes = readCodes(rows, offsets[index]!, offsets[index + 1]!);
    const summed = codes.reduce((sum, code) => sum + (dependsOnValue(variable, code) ? 1 : 0), 0);
    // numbers that training never had have the codes of others: which rows they are in is not known
    const areAmongOthers = summed === 0 && tailNats[index]! !== 0;
    const mean = tailNats[index]! / Math.max(1, areAmongOthers ? codes.length : summed);
    hasMeans ||= summed > 0 || areAmongOthers;
    codes.forEach((code, row) => {
      nats[row]! += areAmongOthers || dependsOnValue(variable, code) ? mean : logDensityOfCode(variable, code);
    });
  });
  return { nats, hasMeans };
}

/** What densities add to the log-probabilities of codes, mean nats per row, by variable: nothing to rows of 0 and 1. */
export function meanLogDensities(rows: BitMatrix): Float64Array {
  const { document } = rows.columns;
  if (document === null) return new Float64Array(rows.dimensions);
  const { table, tailNats } = document;
  const offsets = codeOffsets(table);
  return Float64Array.from(table.variables, (variable, index) => {
    if (!addsToCodes(variable)) return 0;
    const ofCode = Float64Array.from({ length: codeCount(variable) }, (_, code) =>
      dependsOnValue(variable, code) ? 0 : logDensityOfCode(variable, code),
    );
    let sum = tailNats[index]!;
    if (ofCode.every((nats) => nats === 0)) return sum / rows.rows;
    const codes = readCodes(rows, offsets[index]!, offsets[index + 1]!);
    for (let row = 0; row < codes.length; row++) sum += ofCode[codes[row]!]!;
    return sum / rows.rows;
  });
}
