import { UsageError } from '../errors.js';

/** The file that rows of a table are written to; undefined for standard output. @throws UsageError for one of another format */
export function csvFile(out: string | undefined): string | undefined {
  if (out === undefined || out === '-' || /\.csv$/i.test(out)) return out === '-' ? undefined : out;
  throw new UsageError({
    got: out,
    expected: 'a name that ends in .csv',
    where: '--out',
    remedy: 'Rows of a table are written as CSV.',
  });
}
