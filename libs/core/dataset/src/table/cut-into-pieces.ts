import type { Pieces } from '@orchard/contracts';
import type { ValueCount } from './value-count.js';

/** Training rows of a piece, at least; and pieces of a cell that hold rows, at most. */
const ROWS_A_PIECE = 5;
const MOST_PIECES = 8;
/** Training rows that all gaps of a cell between repeated values count for together. */
const ROWS_OF_GAPS = 0.5;
/** Rows to come that lie beyond all of training are one in as many as there are. */
const ROWS_BEYOND = 1;

/** A cell that is to be cut: its ends, and the distinct values in it. */
export interface FilledCell {
  readonly from: number;
  readonly to: number;
  readonly values: readonly ValueCount[];
}

/**
 * Cuts cells into pieces of about equally many rows, half-way between neighbouring distinct values. A value that fills
 * a piece by itself has one as wide as what is written alike, so that the gaps between repeated values stay nearly
 * empty.
 *
 * @param cells in their order, without a gap; the first begins and the last ends where the training rows do
 */
export function cutIntoPieces(cells: readonly FilledCell[], step: number): Pieces {
  const borders = [cells[0]!.from];
  const weights: number[] = [];
  for (const cell of cells) {
    const own = piecesOf(cell, step);
    const empty = own.filter(({ rows }) => rows === 0).length;
    for (const { to, rows } of own) {
      borders.push(to);
      weights.push(rows > 0 ? rows : ROWS_OF_GAPS / empty);
    }
  }
  return { borders, weights, beyond: [ROWS_BEYOND, ROWS_BEYOND] };
}

interface Open {
  to: number;
  rows: number;
  /** Whether it is that of one repeated value. */
  readonly isNarrow: boolean;
}

function piecesOf({ from, to, values }: FilledCell, step: number): readonly Open[] {
  const all = values.reduce((sum, [, count]) => sum + count, 0);
  const full = Math.max(ROWS_A_PIECE, all / MOST_PIECES);
  const pieces: Open[] = [];
  let start = from;
  let rows = 0;
  const close = (end: number, isNarrow: boolean): void => {
    // what is hardly wider than a rounding error of the grid is not a piece
    if (!(end - start > step / 4)) return;
    pieces.push({ to: end, rows, isNarrow });
    start = end;
    rows = 0;
  };
  values.forEach(([value, count], at) => {
    const next = values[at + 1]?.[0];
    if (count >= full) {
      close(Math.min(value - step / 2, to), false);
      rows += count;
      const end = value + step / 2;
      close(next === undefined ? Math.min(end, to) : Math.min(end, halfway(value, next, step), to), true);
      return;
    }
    rows += count;
    if (rows >= full && next !== undefined) close(Math.min(halfway(value, next, step), to), false);
  });
  const last = pieces.at(-1);
  // too few rows, or too little room, for a piece of its own join the one before
  const joins = last !== undefined && (to - start <= step / 4 || (!last.isNarrow && rows < full));
  if (joins) {
    last.to = to;
    last.rows += rows;
  } else pieces.push({ to, rows, isNarrow: false });
  return pieces;
}

/**
 * Half-way between two values, half a step off the grid where there is room: what is rounded to the grid stays in its
 * cell.
 */
export function halfway(low: number, high: number, step: number): number {
  const middle = (Math.floor((low / 2 + high / 2) / step) + 0.5) * step;
  return middle > low && middle < high ? middle : between(low, high);
}

/** Above the one and not above the other, also where no number is between them. */
export function between(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  return middle > low ? middle : high;
}
