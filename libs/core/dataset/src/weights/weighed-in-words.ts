import type { WeighedRows } from '../table/read-splits.js';

/** How rows count, in a sentence. */
export function weighedInWords({ column, rows, repeated, step, notTaken }: WeighedRows): string {
  const stand = `${rowsIn(rows)} ${rows === 1 ? 'stands' : 'stand'} as ${inFull(repeated)} by ${JSON.stringify(column)}`;
  if (step === 1) return `${stand}; if these weights do not count rows, divide them by their mean`;
  const lost =
    notTaken === 0 ? '' : `; ${rowsIn(notTaken)} of too small a weight ${notTaken === 1 ? 'is' : 'are'} none`;
  return `${stand}: on a grid of eighths of the mean weight, since they are no whole numbers or too many rows${lost}`;
}

function rowsIn(rows: number): string {
  return `${inFull(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

function inFull(value: number): string {
  return value.toLocaleString('en-US');
}
