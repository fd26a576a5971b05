import { correctColumn, listNames } from '@orchard/dataset';
import { UsageError } from '../output/errors.js';

/** The stored index of a dimension given by name, or by number from 1. @throws UsageError */
export function dimensionOf(text: string, option: string, dimensions: number, names: readonly string[] | null): number {
  const named = names?.indexOf(text) ?? -1;
  if (named >= 0) return named;
  const number = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= dimensions) return number - 1;
  throw new UsageError({
    got: JSON.stringify(text),
    expected: `${names === null ? 'the number of a column,' : `the name of a column (${listNames(names)}), or its number`} from 1 to ${String(dimensions)}`,
    where: option,
    remedy: names === null ? `Correct ${option}: these columns have no names.` : correctColumn(text, names),
  });
}
