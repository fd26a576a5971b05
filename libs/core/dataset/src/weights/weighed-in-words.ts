import { count, counted } from '@orchard/refusal';
import type { WeighedRows } from '../table/read-splits.js';

/** How rows count, in a sentence. */
export function weighedInWords({ column, rows, repeated, step, notTaken }: WeighedRows): string {
  const stand = `${counted(rows, 'row')} ${rows === 1 ? 'stands' : 'stand'} as ${count(repeated)} by ${JSON.stringify(column)}`;
  if (step === 1) return `${stand}; if these weights do not count rows, divide them by their mean`;
  const lost =
    notTaken === 0 ? '' : `; ${counted(notTaken, 'row')} of too small a weight ${notTaken === 1 ? 'is' : 'are'} none`;
  return `${stand}: in steps of the mean weight, since they are no whole numbers or too many rows${lost}`;
}
