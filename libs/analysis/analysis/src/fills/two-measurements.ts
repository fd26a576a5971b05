import type { Variable } from '@orchard/contracts';
import { standForNumbers } from '@orchard/dataset';

/** The two values of a column that are measured, as -0.045 and 0.051: they have a mean. */
interface TwoMeasurements {
  readonly ascending: readonly [string, string];
  /** Written with as many decimals as they have. @param first the share of code 0 @param second that of code 1 */
  mean(first: number, second: number): string;
}

/** `toFixed` writes no more. */
const MOST_DECIMALS = 100;

/** Null of other columns: whole numbers may stand for kinds, as 1 and 2 do. */
export function twoMeasurements(variable: Variable): TwoMeasurements | null {
  if (variable.kind === 'ordered' || variable.labels.length !== 2 || !standForNumbers(variable.labels)) return null;
  const [first, second] = variable.labels as readonly [string, string];
  const [ofFirst, ofSecond] = [first, second].map((label) => label.split('.')[1]?.length ?? 0) as [number, number];
  const decimals = Math.max(ofFirst, ofSecond);
  const values = [Number(first), Number(second)] as const;
  if (decimals === 0 || decimals > MOST_DECIMALS || Number.isNaN(values[0] + values[1])) return null;
  return {
    ascending: values[0] < values[1] ? [first, second] : [second, first],
    mean: (shareOfFirst, shareOfSecond) =>
      ((values[0] * shareOfFirst + values[1] * shareOfSecond) / (shareOfFirst + shareOfSecond)).toFixed(decimals),
  };
}
