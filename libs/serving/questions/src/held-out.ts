import type { BitMatrix } from '@orchard/dataset';

/** Held-out rows of a run, and among how many models they chose the one. */
export interface HeldOut {
  readonly rows: BitMatrix;
  readonly split: 'test' | 'validation';
  readonly chosenOf: number;
}

/** At most so many of the rows, evenly spaced. */
export function evenlySpaced(rows: BitMatrix, most: number): BitMatrix {
  if (rows.rows <= most) return rows;
  return rows.selectRows(Array.from({ length: most }, (_, row) => Math.floor((row * rows.rows) / most)));
}
