import { findColumns } from '../rows/columns.js';
import { DatasetError, quote } from '../errors.js';
import { isNumber } from './number-text.js';
import { CategoricalColumn } from './one-hot.js';
import type { ReadContext } from '../reading/options.js';
import { RowSink } from './row-sink.js';

/** What a source column is: not read, a categorical one (`CATEGORICAL - its index`), or a dimension (0 and up). */
export const UNREAD = -1;
export const CATEGORICAL = -2;

/** What line 1 and the options say of the columns. */
export interface ColumnLayout {
  /** Columns in the file. */
  readonly count: number;
  /** For each column of the file: its dimension, {@link UNREAD}, or {@link CATEGORICAL} and below. */
  readonly targets: Int32Array;
  /** All names in the file. */
  readonly sourceNames: readonly string[] | null;
  /** Names of the dimensions, where there are no categorical columns. */
  readonly names: readonly string[] | null;
  readonly categorical: readonly CategoricalColumn[];
  /** Every column that is read, in order. */
  readonly order: readonly (CategoricalColumn | string)[];
  readonly plainCount: number;
  /** Null where all columns are categorical. */
  readonly sink: RowSink | null;
  /** Whether lines may go through {@link packLine}: every column is a dimension, in place, and exactly 0 or 1. */
  readonly packable: boolean;
  /** Rows that did not go through {@link packLine}; all of them where it matters. */
  rows: number;
}

/** @throws DatasetError with code `column` on columns that are not there, nameless or of one name. */
export function layOut(context: ReadContext, fields: readonly string[], header: boolean): ColumnLayout {
  const { name, options, rule, missing, wordFor } = context;
  const where = `${name}, line 1`;
  const count = fields.length;
  const sourceNames = header ? fields : null;
  const read = options.columns
    ? findColumns(options.columns, sourceNames, count, where, wordFor('columns'))
    : fields.map((_, column) => column);
  const hot = new Set(options.oneHot ? findColumns(options.oneHot, sourceNames, count, where, wordFor('oneHot')) : []);
  if (sourceNames) checkHeaderNames(sourceNames, read, where);

  const targets = new Int32Array(count).fill(UNREAD);
  const categorical: CategoricalColumn[] = [];
  let plainCount = 0;
  const order = read.map((column) => {
    const columnName = sourceNames?.[column] ?? String(column + 1);
    if (!hot.delete(column)) {
      targets[column] = plainCount++;
      return columnName;
    }
    targets[column] = CATEGORICAL - categorical.length;
    const made = new CategoricalColumn(columnName, options.categoriesOf ?? null, context.memory);
    categorical.push(made);
    return made;
  });
  for (const column of hot)
    throw new DatasetError('column', {
      got: `the one-hot column ${quote(sourceNames?.[column] ?? String(column + 1))}`,
      expected: 'one of the chosen columns',
      where,
      remedy: 'Choose it too, or leave it out of the one-hot columns.',
    });
  return {
    count,
    targets,
    sourceNames,
    names: sourceNames && read.map((column) => sourceNames[column]!),
    categorical,
    order,
    plainCount,
    sink: plainCount > 0 ? new RowSink(context, plainCount) : null,
    packable: rule.exact && targets.every((target, column) => target === column) && ![...missing].some(isNumber),
    rows: 0,
  };
}

function checkHeaderNames(names: readonly string[], read: readonly number[], where: string): void {
  const seen = new Map<string, number>();
  for (const column of read) {
    const name = names[column]!;
    const before = seen.get(name);
    if (name !== '' && before === undefined) {
      seen.set(name, column);
      continue;
    }
    throw new DatasetError('column', {
      got:
        before === undefined ? 'a column without a name' : `the name ${quote(name)} again, as of column ${before + 1}`,
      expected: 'a name of its own for every column',
      where: `${where}, column ${column + 1}`,
      remedy: 'Name the columns apart, or choose the ones to read.',
    });
  }
}
