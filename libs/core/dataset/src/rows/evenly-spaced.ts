import type { BitMatrix } from './bit-matrix.js';

/** Places of at most so many of the rows, evenly spaced: rows of a file may be sorted. */
export function evenPlaces(rows: number, most: number): number[] {
  const count = Math.min(rows, most);
  // rounded down from below the number of rows, which multiples of a share of them may reach
  return Array.from({ length: count }, (_, at) => Math.floor((at * rows) / count));
}

/** At most so many of the rows, evenly spaced; all of them as they are where they are no more. */
export function evenlySpaced(rows: BitMatrix, most: number): BitMatrix {
  return rows.rows <= most ? rows : rows.selectRows(evenPlaces(rows.rows, most));
}
