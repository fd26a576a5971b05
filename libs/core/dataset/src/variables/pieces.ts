import type { OrderedVariable } from '@orchard/contracts';
import { oncePer, log } from '@orchard/numerics';

/** A piece of a cell: uniform between two borders, or exponential where one of them is infinite. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /** Training rows that it counts for. */
  readonly weight: number;
}

/** Of each variable, its cells' pieces in ascending order: they are asked for value by value. */
const piecesOfCells = oncePer(cutIntoCells);

/** The pieces of a cell, those beyond the last border of an outermost cell included. @param variable with pieces */
export function piecesOfCell(variable: OrderedVariable, code: number): readonly Piece[] {
  return piecesOfCells(variable)[code]!;
}

/** A tail's density falls until so many scales beyond its edge, so that it is finite everywhere. */
export const FARTHEST = 1e300;

/** Of equally wide steps, in which a value's piece is looked up before the few pieces of one step are searched. */
const STEPS_A_PIECE = 2;

/** The log-densities of a variable's pieces, computed once, since every value of every row asks for one. */
export class PieceDensities {
  /** Of a variable with pieces. */
  static readonly of = oncePer((variable: OrderedVariable) => new PieceDensities(variable));
  /** Of each cell its first piece, and behind the last cell the number of pieces. */
  readonly #firsts: Int32Array;
  /** The cell of each piece. */
  readonly #codes: Uint16Array;
  /** Where each piece ends, ascending. */
  readonly #ends: Float64Array;
  /** Of each piece, at its edge in a tail: nats. */
  readonly #nats: Float64Array;
  readonly #tails: readonly [number, number];
  /**
   * Of each of equally wide steps from the first end to the last finite one, the first piece that a value there may lie
   * in.
   */
  readonly #steps: Int32Array;
  readonly #stepsPerUnit: number;

  private constructor(variable: OrderedVariable) {
    const cells = variable.values.map((_, code) => piecesOfCell(variable, code));
    const tails = variable.tails!;
    this.#tails = [tails[0], tails[1]];
    this.#firsts = new Int32Array(cells.length + 1);
    cells.forEach((pieces, code) => {
      this.#firsts[code + 1] = this.#firsts[code]! + pieces.length;
    });
    this.#codes = Uint16Array.from(cells.flatMap((pieces, code) => pieces.map(() => code)));
    this.#ends = Float64Array.from(cells.flat(), ({ to }) => to);
    const ends = this.#ends;
    this.#steps = new Int32Array(STEPS_A_PIECE * ends.length);
    const stepsPerUnit = (this.#steps.length - 1) / (ends.at(-2)! - ends[0]!);
    this.#stepsPerUnit = Number.isFinite(stepsPerUnit) ? stepsPerUnit : 0;
    let piece = 0;
    for (let step = 0; step < this.#steps.length; step++) {
      while (piece < ends.length - 1 && this.#stepOf(ends[piece]!) < step) piece++;
      this.#steps[step] = piece;
    }
    this.#nats = Float64Array.from(
      cells.flatMap((pieces) => {
        const all = pieces.reduce((sum, { weight }) => sum + weight, 0);
        return pieces.map(({ from, to, weight }) => {
          const breadth = from === -Infinity ? tails[0] : to === Infinity ? tails[1] : to - from;
          return log(weight / all) - log(breadth);
        });
      }),
    );
  }

  /** log P(value | cell), nats. O(log pieces of the cell) */
  logDensity(code: number, value: number): number {
    return this.#natsIn(this.#search(value, this.#firsts[code]!, this.#firsts[code + 1]! - 1), value);
  }

  /** The code of a value's cell, and log P(value | cell) in `nats[at]`. O(log pieces) */
  codeAndNats(value: number, nats: Float64Array, at: number): number {
    const step = this.#stepOf(value);
    const last = this.#steps[step + 1] ?? this.#ends.length - 1;
    const piece = this.#search(value, this.#steps[step]!, last);
    nats[at] = this.#natsIn(piece, value);
    return this.#codes[piece]!;
  }

  /**
   * It never falls where values rise, so that ends of lower steps are below the value, and those of higher ones above
   * it.
   */
  #stepOf(value: number): number {
    const steps = (value - this.#ends[0]!) * this.#stepsPerUnit;
    return steps > 0 ? Math.floor(Math.min(this.#steps.length - 1, steps)) : 0;
  }

  #search(value: number, first: number, last: number): number {
    const ends = this.#ends;
    let low = first;
    let high = last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value < ends[middle]!) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #natsIn(piece: number, value: number): number {
    const ends = this.#ends;
    const last = ends.length - 1;
    const nats = this.#nats[piece]!;
    if (piece > 0 && piece < last) return nats;
    const distance = piece === 0 ? ends[0]! - value : value - ends[last - 1]!;
    return nats - Math.min(FARTHEST, distance / this.#tails[piece === 0 ? 0 : 1]);
  }
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
