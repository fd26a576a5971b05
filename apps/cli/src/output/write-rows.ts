import { extname } from 'node:path';
import { csvField, nameOfDimension, type BitMatrix, type ColumnHead, type TypedValues } from '@orchard/dataset';
import { UsageError } from '../errors.js';
import { drawContactSheet } from './contact-sheet.js';
import { delimiterOf, encodeTypedBatches, isTextEnding, tableEndings, type TableEnding } from './table-file.js';

const kinds = [...tableEndings, '.npy', '.png'] as const;
type Kind = (typeof kinds)[number];
/** Files that only rows of 0 and 1 are written to. */
export type KindOfBits = Exclude<Kind, TableEnding>;

/** Which kind of file a name asks for; checked before any work is done. */
export function kindOfFile(path: string): Kind {
  const kind = extname(path).toLowerCase();
  if ((kinds as readonly string[]).includes(kind)) return kind as Kind;
  throw new UsageError({
    got: kind === '' ? `a name without an ending, ${path}` : `the ending ${kind}`,
    expected: kinds.join(', '),
    where: '--out',
    remedy: 'Name the file by what it should be.',
  });
}

/** Bytes of a piece, about: large enough to be fast, and few enough to hold beside the rows. */
const PIECE_BYTES = 2 ** 18;

/**
 * Rows as delimited text (names in the first line where there are names), NPY (bytes, C order), PNG (one image a
 * row), or columns of whole numbers in Parquet and Arrow; text in pieces: ten million rows of it are more than a
 * program can hold.
 */
export function encodeRows(rows: BitMatrix, kind: Kind): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (isTextEnding(kind)) return textOf(rows, delimiterOf(kind));
  if (kind === '.npy') return npyOf(rows);
  if (kind === '.png') return [drawContactSheet(rows, shapeFor(rows))];
  return encodeTypedBatches(kind, headsOf(rows), wholeNumbersOf(rows));
}

function headsOf(rows: BitMatrix): ColumnHead[] {
  return Array.from({ length: rows.dimensions }, (_, dim) => ({
    name: nameOfDimension(dim, rows.names),
    type: 'whole',
  }));
}

function* wholeNumbersOf(rows: BitMatrix): Generator<readonly TypedValues[], void> {
  for (const [first, end] of slicesOf(rows.rows, rows.dimensions))
    yield Array.from({ length: rows.dimensions }, (_, dim) =>
      Array.from({ length: end - first }, (__, row) => BigInt(rows.get(first + row, dim))),
    );
}

/** @throws UsageError where rows have no shape and so are not images. */
export function shapeFor(rows: Pick<BitMatrix, 'shape' | 'dimensions'>): readonly [number, number] {
  if (rows.shape !== null) return rows.shape;
  throw new UsageError({
    got: `rows of ${String(rows.dimensions)} dimensions without a shape`,
    expected: 'a network of images',
    where: '--out',
    remedy: 'Write .csv or .npy, or give the shape in training, as --shape 28x28.',
  });
}

/** Rows as arrays of 0 and 1, for JSON. */
export function valuesOf(rows: BitMatrix): number[][] {
  return Array.from({ length: rows.rows }, (_, row) =>
    Array.from({ length: rows.dimensions }, (__, dim) => rows.get(row, dim)),
  );
}

function* textOf(rows: BitMatrix, delimiter: string): Generator<Uint8Array> {
  const { dimensions, names } = rows;
  if (names !== null)
    yield new TextEncoder().encode(`${names.map((name) => csvField(name, delimiter)).join(delimiter)}\n`);
  const width = 2 * dimensions;
  const [between, lineFeed, zero] = [delimiter.charCodeAt(0), 10, 48];
  for (const [first, end] of slicesOf(rows.rows, width)) {
    const piece = new Uint8Array((end - first) * width).fill(between);
    for (let row = first, at = 0; row < end; row++, at += width) {
      for (let dim = 0; dim < dimensions; dim++) piece[at + 2 * dim] = zero + rows.get(row, dim);
      piece[at + width - 1] = lineFeed;
    }
    yield piece;
  }
}

/** NPY 1.0: magic, version, length of the header, the header padded to a multiple of 64, then the bytes. */
function* npyOf(rows: BitMatrix): Generator<Uint8Array> {
  const { dimensions } = rows;
  const says = `{'descr': '|u1', 'fortran_order': False, 'shape': (${String(rows.rows)}, ${String(dimensions)}), }`;
  const length = Math.ceil((10 + says.length + 1) / 64) * 64;
  const header = new Uint8Array(length);
  header.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, (length - 10) & 0xff, (length - 10) >> 8]);
  header.set(new TextEncoder().encode(says.padEnd(length - 11) + '\n'), 10);
  yield header;
  for (const [first, end] of slicesOf(rows.rows, dimensions)) {
    const piece = new Uint8Array((end - first) * dimensions);
    for (let row = first, at = 0; row < end; row++) {
      for (let dim = 0; dim < dimensions; dim++) piece[at++] = rows.get(row, dim);
    }
    yield piece;
  }
}

/** Ranges of rows that make a piece each, the end exclusive. */
function* slicesOf(rows: number, bytesPerRow: number): Generator<readonly [first: number, end: number]> {
  const slice = Math.max(1, Math.floor(PIECE_BYTES / bytesPerRow));
  for (let first = 0; first < rows; first += slice) yield [first, Math.min(rows, first + slice)];
}
