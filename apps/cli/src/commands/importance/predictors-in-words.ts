import type { JudgedPredictors } from '@orchard/model';
import { counted } from '../../output/figures.js';

/** The columns with the largest shares, the largest first; of equal ones the first column. */
export function strongestOf(shares: Float64Array, top: number): { readonly column: number; readonly share: number }[] {
  const some: { readonly column: number; readonly share: number }[] = [];
  // most of very many columns have no share: nothing is made of these
  shares.forEach((share, column) => {
    if (share > 0) some.push({ column, share });
  });
  return some.sort((left, right) => right.share - left.share || left.column - right.column).slice(0, top);
}

/** Whether a pair is beyond noise; null where nothing was tested. */
export function isMarked(judged: JudgedPredictors | null, pair: number): boolean | null {
  return judged === null ? null : judged.beyondNoise[pair] === 1;
}

/** A predictor in a row of the table, marked where it is no better than noise. */
export function shareInWords(
  name: string,
  { share, beyondNoise }: { readonly share: number; readonly beyondNoise: boolean | null },
): string {
  return `${name} ${(100 * share).toFixed(1)} %${beyondNoise === false ? ' (noise?)' : ''}`;
}

/** The line under the table on how the shares were tested. */
export function predictorsInWords(judged: JudgedPredictors | null): string {
  if (judged === null) return 'Shares are not tested against noise.';
  return (
    `A share is marked (noise?) where the predictor's values, dealt to other rows, predict as well: by less than ${judged.needed.toFixed(1)} nats\n` +
    `in ${counted(judged.rows, 'row')} together, which a predictor of noise would reach in at most one of 20 models.`
  );
}
