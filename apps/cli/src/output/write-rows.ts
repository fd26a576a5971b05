import { extname } from 'node:path';
import type { BitMatrix, Texts } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { UsageError } from './errors.js';
import { drawContactSheet } from './contact-sheet.js';
import { tableEndings, tableFile, type ColumnBatches, type TableEnding } from './table-file.js';

const kinds = [...tableEndings, '.npy', '.png'] as const;
export type Kind = (typeof kinds)[number];
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

/** What rows of a model are written to: those of 0 and 1 may be arrays or images. @throws UsageError */
export function kindOfOut({ ofBits }: TabularModel, out = '-'): Kind {
  if (ofBits === undefined || out === '-') return tableFile(out).ending;
  const kind = kindOfFile(out);
  if (kind === '.png') shapeFor(ofBits);
  return kind;
}

export function isKindOfBits(kind: Kind): kind is KindOfBits {
  return kind === '.npy' || kind === '.png';
}

/**
 * Rows of 0 and 1 that come batch by batch, as NPY (bytes, C order) or PNG (one image a row).
 *
 * @param rows zeros, as many as come
 */
export async function* encodeBits(
  kind: KindOfBits,
  rows: BitMatrix,
  batches: ColumnBatches,
): AsyncGenerator<Uint8Array, void> {
  let first = 0;
  for await (const columns of batches) {
    setBits(
      rows,
      first,
      columns.map(({ texts }) => texts),
    );
    first += columns[0]!.texts.length;
  }
  if (kind === '.npy') yield* npyOf(rows);
  else yield drawContactSheet(rows, shapeFor(rows));
}

/** Rows of 0 and 1 in words, as bits. @param rows zeros */
export function setBits(rows: BitMatrix, first: number, texts: Texts): void {
  texts.forEach((column, index) => {
    column.forEach((text, row) => {
      if (text === '1') rows.set(first + row, index, 1);
    });
  });
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

/** NPY 1.0: magic, version, length of the header, the header padded to a multiple of 64, then the bytes. */
function* npyOf(rows: BitMatrix): Generator<Uint8Array> {
  const { dimensions } = rows;
  const says = `{'descr': '|u1', 'fortran_order': False, 'shape': (${String(rows.rows)}, ${String(dimensions)}), }`;
  const length = Math.ceil((10 + says.length + 1) / 64) * 64;
  const header = new Uint8Array(length);
  header.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, (length - 10) & 0xff, (length - 10) >> 8]);
  header.set(new TextEncoder().encode(says.padEnd(length - 11) + '\n'), 10);
  yield header;
  const slice = Math.max(1, Math.floor(PIECE_BYTES / dimensions));
  for (let first = 0; first < rows.rows; first += slice) {
    const end = Math.min(rows.rows, first + slice);
    const piece = new Uint8Array((end - first) * dimensions);
    for (let row = first, at = 0; row < end; row++) {
      for (let dim = 0; dim < dimensions; dim++) piece[at++] = rows.get(row, dim);
    }
    yield piece;
  }
}
