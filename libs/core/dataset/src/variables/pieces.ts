import type { OrderedVariable } from '@orchard/contracts';

/** A piece of a cell: uniform between two borders, or exponential where one of them is infinite. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /** Training rows that it counts for. */
  readonly weight: number;
}

/** Of each variable, its cells' pieces in ascending order: they are asked for value by value. */
const known = new WeakMap<OrderedVariable, readonly (readonly Piece[])[]>();

/** The pieces of a cell, those beyond the last border of an outermost cell included. @param variable with pieces */
export function piecesOfCell(variable: OrderedVariable, code: number): readonly Piece[] {
  let ofCells = known.get(variable);
  if (ofCells === undefined) known.set(variable, (ofCells = cutIntoCells(variable)));
  return ofCells[code]!;
}

/** The piece of a cell that holds a value, and the weight of all pieces of the cell. O(log pieces) beside the sum. */
export function pieceOf(variable: OrderedVariable, code: number, value: number): Piece & { readonly all: number } {
  const pieces = piecesOfCell(variable, code);
  let [low, high, all] = [0, pieces.length - 1, 0];
  for (const { weight } of pieces) all += weight;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < pieces[middle]!.to) high = middle;
    else low = middle + 1;
  }
  return { ...pieces[low]!, all };
}

function cutIntoCells(variable: OrderedVariable): readonly (readonly Piece[])[] {
  const { borders, weights, beyond } = variable.pieces!;
  const { edges } = variable;
  const cells: Piece[][] = [[{ from: -Infinity, to: borders[0]!, weight: beyond[0] }]];
  weights.forEach((weight, at) => {
    const from = borders[at]!;
    if (from === edges[cells.length - 1]) cells.push([]);
    cells.at(-1)!.push({ from, to: borders[at + 1]!, weight });
  });
  cells.at(-1)!.push({ from: borders.at(-1)!, to: Infinity, weight: beyond[1] });
  return cells;
}
