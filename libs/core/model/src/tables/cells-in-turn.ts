import type { BitMatrix } from '@orchard/dataset';
import type { TabularModel } from './tabular-model.js';

/** Rows that a model is asked about, and the variables that are wanted of them. */
export interface AskedCells {
  /** Rows, or the same rows several times: they differ in {@link dealt} alone. */
  readonly deals: readonly BitMatrix[];
  /** The variable whose values are dealt anew from one of these to the next. */
  readonly dealt?: number;
  /** @default all */
  readonly of?: readonly number[];
}

/**
 * Answers what `cellLogLikelihoods` says of rows, in the order of asking: element
 * `(row * deals.length + deal) * of.length + place`; nothing of a model whose likelihood has no share for each
 * variable. It may ask for the next rows before the answer to the last ones is there.
 *
 * @param rows of all that is asked, as often as they are dealt
 */
export type CellsInTurn = (asked: Iterable<AskedCells>, rows: number) => AsyncIterable<Float64Array>;

/** By this thread alone. */
export function cellsHere(model: TabularModel): CellsInTurn {
  return async function* (asked) {
    for (const one of asked) yield await Promise.resolve(wantedCells(model, one));
  };
}

/** The cells of the variables that are wanted, and no others. */
export function wantedCells(model: TabularModel, asked: AskedCells): Float64Array {
  const { variables } = model;
  const { deals, of = [...Array(variables).keys()] } = asked;
  const { rows } = deals[0]!;
  const wanted = new Float64Array(rows * deals.length * of.length);
  let deal = 0;
  for (const cells of cellsOfDeals(model, asked)) {
    if (cells.length !== rows * variables) return new Float64Array(0);
    for (let row = 0; row < rows; row++) {
      const first = (row * deals.length + deal) * of.length;
      for (let place = 0; place < of.length; place++) wanted[first + place] = cells[row * variables + of[place]!]!;
    }
    deal++;
  }
  return wanted;
}

/** What `cellLogLikelihoods` says of each deal: of a model without an ordering it is made of all cells of a row. */
function* cellsOfDeals(model: TabularModel, { deals, dealt, of }: AskedCells): Iterable<Float64Array> {
  if (dealt !== undefined && model.ordering === null && model.scoresOfDeals !== undefined) {
    for (const { surprise } of model.scoresOfDeals(deals, dealt)) yield surprise.map((nats) => -nats);
    return;
  }
  const wanted = of === undefined ? undefined : new Set(of);
  for (const deal of deals) yield model.cellLogLikelihoods(deal, wanted);
}

/** All cells of some rows. */
export async function allCells(cells: CellsInTurn, matrix: BitMatrix): Promise<Float64Array> {
  let all = new Float64Array(0);
  for await (const own of cells([{ deals: [matrix] }], matrix.rows)) all = own as Float64Array<ArrayBuffer>;
  return all;
}
