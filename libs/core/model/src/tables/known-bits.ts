import type { BitMatrix, EncodedRows } from '@orchard/dataset';
import type { TabularModel } from './tabular-model.js';

/** Of each bit of encoded rows 1 where it is known. */
export function knownBits({ known, matrix }: Pick<EncodedRows, 'known' | 'matrix'>, model: TabularModel): BitMatrix {
  if (known !== null) return known;
  const all = model.emptyRows(matrix.rows);
  const width = model.offsets[model.variables]!;
  for (let row = 0; row < all.rows; row++) for (let bit = 0; bit < width; bit++) all.set(row, bit, 1);
  return all;
}
