import type { BitMatrix } from '@orchard/dataset';
import type { TabularModel } from './tabular-model.js';

/** Rows that a model is asked about, and the variables that are wanted of them. */
export interface AskedCells {
  readonly matrix: BitMatrix;
  /** @default all */
  readonly of?: readonly number[];
}

/**
 * Answers what `cellLogLikelihoods` says of rows, in the order of asking: element `row * of.length + place`; nothing of
 * a model whose likelihood has no share for each variable. It may ask for the next rows before the answer to the last
 * ones is there.
 *
 * @param rows of all that is asked
 */
export type CellsInTurn = (asked: Iterable<AskedCells>, rows: number) => AsyncIterable<Float64Array>;

/** By this thread alone. */
export function cellsHere(model: TabularModel): CellsInTurn {
  return async function* (asked) {
    for (const one of asked) yield await Promise.resolve(wantedCells(model, one));
  };
}

/** The cells of the variables that are wanted, and no others. */
export function wantedCells(model: TabularModel, { matrix, of }: AskedCells): Float64Array {
  const { variables } = model;
  const cells = model.cellLogLikelihoods(matrix, of === undefined ? undefined : new Set(of));
  if (cells.length !== matrix.rows * variables) return new Float64Array(0);
  if (of === undefined) return cells;
  const wanted = new Float64Array(matrix.rows * of.length);
  for (let row = 0; row < matrix.rows; row++)
    for (let place = 0; place < of.length; place++)
      wanted[row * of.length + place] = cells[row * variables + of[place]!]!;
  return wanted;
}

/** All cells of some rows. */
export async function allCells(cells: CellsInTurn, matrix: BitMatrix): Promise<Float64Array> {
  let all = new Float64Array(0);
  for await (const own of cells([{ matrix }], matrix.rows)) all = own as Float64Array<ArrayBuffer>;
  return all;
}
