import type { BitMatrix } from './bit-matrix.js';
import { listNames } from './columns.js';
import { DatasetError } from '../errors.js';
import { advise, noWord, sentences, withWord, type OptionWord } from '../reading/option-words.js';

/** What columns there should be: those of the training rows, or of a network. `label` is how messages call it. */
export interface ExpectedColumns {
  readonly label: string;
  readonly dimensions: number;
  readonly names: readonly string[] | null;
}

/**
 * The columns of `actual` in the order of `expected`, by name where both have names and else as they are: element `i`
 * is the place in `actual` of dimension `i`; null where nothing moves.
 * @throws DatasetError with code `column`, naming the columns that are missing or extra.
 */
export function columnOrder(
  expected: ExpectedColumns,
  actual: ExpectedColumns,
  wordFor: OptionWord = noWord,
): Uint32Array | null {
  if (!expected.names || !actual.names) {
    if (expected.dimensions === actual.dimensions) return null;
    throw new DatasetError('column', {
      got: `${actual.dimensions} columns`,
      expected: `${expected.dimensions}, as in ${expected.label}`,
      where: actual.label,
      remedy: sentences(
        'Choose the same columns of both',
        advise(wordFor, 'For libsvm, whose last columns may be empty, give the number of dimensions', 'dimensions'),
      ),
    });
  }
  const places = new Map(actual.names.map((name, place) => [name, place]));
  const missing = expected.names.filter((name) => !places.has(name));
  const known = new Set(expected.names);
  const extra = actual.names.filter((name) => !known.has(name));
  if (missing.length > 0 || extra.length > 0) {
    const parts = [
      ...(missing.length > 0 ? [`without ${listNames(missing)}`] : []),
      ...(extra.length > 0 ? [`with ${listNames(extra)} besides`] : []),
    ];
    throw new DatasetError('column', {
      got: `columns ${parts.join(' and ')}`,
      expected: `the ${expected.dimensions} columns of ${expected.label}, in any order`,
      where: actual.label,
      remedy: 'Rename the columns, or choose the same ones of both.',
    });
  }
  const order = Uint32Array.from(expected.names, (name) => places.get(name)!);
  return order.every((place, dim) => place === dim) ? null : order;
}

/**
 * Rows with their columns put in the order of `expected`; the same object where nothing moves. See {@link columnOrder}.
 */
export function matchColumns(
  expected: ExpectedColumns,
  actual: { label: string; matrix: BitMatrix },
  wordFor: OptionWord = noWord,
): BitMatrix {
  const { label, matrix } = actual;
  const order = columnOrder(expected, { label, dimensions: matrix.dimensions, names: matrix.names }, wordFor);
  return order ? matrix.selectColumns(order) : matrix;
}

/** The splits of one data set. */
export interface Splits {
  readonly train: BitMatrix;
  readonly valid: BitMatrix | null;
  readonly test: BitMatrix | null;
}

/**
 * The splits, checked against each other: each has rows, and the columns of the training rows, put in their order.
 * @param labels how messages call the splits, as by their files. @default 'train', 'valid', 'test'
 * @throws DatasetError on a split without rows, splits of different columns, and training rows that are all equal.
 */
export function matchSplits(
  splits: Splits,
  labels: { readonly [Split in keyof Splits]?: string } = {},
  wordFor: OptionWord = noWord,
): Splits {
  const { train } = splits;
  const label = labels.train ?? 'train';
  checkSplit(train, label);
  if (train.rows > 1 && train.dimensions > 1 && isConstant(train))
    throw new DatasetError('value', {
      got: `${train.rows} rows that are all equal`,
      expected: 'rows that differ',
      where: label,
      remedy: `${withWord(wordFor, 'Check that the right file, columns and threshold were given', 'columns', 'threshold')}.`,
    });
  const expected = { label, dimensions: train.dimensions, names: train.names };
  const match = (split: 'valid' | 'test'): BitMatrix | null => {
    const matrix = splits[split];
    if (!matrix) return null;
    checkSplit(matrix, labels[split] ?? split);
    return matchColumns(expected, { label: labels[split] ?? split, matrix }, wordFor);
  };
  return { train, valid: match('valid'), test: match('test') };
}

function checkSplit(matrix: BitMatrix, label: string): void {
  if (matrix.rows > 0) return;
  const remedy = 'Leave the split out, or give it rows.';
  throw new DatasetError('empty', { got: 'no rows', expected: 'at least one', where: label, remedy });
}

function isConstant(matrix: BitMatrix): boolean {
  return matrix.columnCounts().every((ones) => ones === 0 || ones === matrix.rows);
}
