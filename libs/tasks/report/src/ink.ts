import type { BitMatrix } from '@orchard/dataset';

/**
 * The ones of a row as one SVG path of horizontal runs, in units of one pixel: an image of `width` columns, read row by
 * row. `differing`, when given, keeps only the pixels in which the row differs from `differing.row` of
 * `differing.matrix`.
 */
export function inkPath(
  matrix: BitMatrix,
  row: number,
  width: number,
  differing?: { readonly matrix: BitMatrix; readonly row: number },
): string {
  const { dimensions } = matrix;
  const inked = (dim: number): boolean =>
    differing === undefined
      ? matrix.get(row, dim) === 1
      : matrix.get(row, dim) !== differing.matrix.get(differing.row, dim);
  let path = '';
  for (let start = 0; start < dimensions; start++) {
    if (!inked(start)) continue;
    const lineEnd = Math.min(dimensions, (Math.floor(start / width) + 1) * width);
    let end = start + 1;
    while (end < lineEnd && inked(end)) end++;
    path += `M${String(start % width)} ${String(Math.floor(start / width))}h${String(end - start)}v1h-${String(end - start)}z`;
    start = end - 1;
  }
  return path;
}
