import { judgePredictors, VALIDATION_CHOICES, type DensityModel } from '@orchard/model';
import type { BitMatrix } from '@orchard/dataset';
import type { ExplainedColumn, Explanation, JudgedBy } from '../documents/importance-document.js';
import { isMarked, strongestOf } from './predictors-in-words.js';

/** What is known of columns before their predictors are tested. */
interface AskedColumns {
  readonly model: DensityModel;
  /** The columns that are wanted, in order. */
  readonly wanted: readonly number[];
  /** Predictors to name of each. */
  readonly top: number;
  /** Rows that the model has not seen; null where there are none. */
  readonly unseen: BitMatrix | null;
  readonly split: JudgedBy['split'] | null;
  /** Of a column; null where there is nothing to judge by. */
  gainOf(index: number): { readonly gain: number; readonly beyondNoise: boolean } | null;
  sharesOf(index: number): Float64Array;
}

/** The strongest predictors of each column that is predicted beyond noise, tested against noise too. */
export function explainColumns({
  model,
  wanted,
  top,
  unseen,
  split,
  gainOf,
  sharesOf,
}: AskedColumns): Pick<Explanation, 'columns' | 'predictorsJudged'> {
  const gains = wanted.map((index) => gainOf(index));
  const strongest = wanted.map((index, at) => {
    if (gains[at]?.beyondNoise === false) return { first: [], inAll: 0 };
    const shares = sharesOf(index);
    return { first: strongestOf(shares, top), inAll: shares.reduce((all, share) => all + (share > 0 ? 1 : 0), 0) };
  });
  const pairs = wanted.flatMap((column, at) => strongest[at]!.first.map((one) => ({ column, predictor: one.column })));
  const chosenOf = split === 'validation' ? VALIDATION_CHOICES : 1;
  const predictorsJudged = unseen === null ? null : judgePredictors(model, unseen, pairs, chosenOf);
  let pair = 0;
  const columns = wanted.map((index, at): ExplainedColumn => ({
    index,
    gain: gains[at]?.gain ?? null,
    beyondNoise: gains[at]?.beyondNoise ?? null,
    predictors: strongest[at]!.first.map(({ column, share }) => ({
      index: column,
      share,
      beyondNoise: isMarked(predictorsJudged, pair++),
    })),
    predictorsInAll: strongest[at]!.inAll,
  }));
  return { columns, predictorsJudged };
}
