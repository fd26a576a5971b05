import type { RawColumn } from '../table-files/raw-column.js';
import type { EqualColumns, KnownValues } from '../variables/equal-columns.js';
import { newCodedCells, type CellCodes, type CodedCells } from './cell-codes.js';

/** The rows of a split, as far as equal columns change them. */
export interface EncodedSide {
  /** Of the columns that are wanted. */
  readonly values: KnownValues;
  /** Nats of a value that depend on the rest of its row. */
  addNats(row: number, index: number, nats: number): void;
}

/** The cells of a batch in the columns that are often equal, and what it tells that they are. */
export class EqualCells {
  readonly #columns: ReadonlyMap<number, { coded: CodedCells; values: Float64Array }>;

  constructor(private readonly equal: readonly EqualColumns[]) {
    const indices = equal.flatMap(({ first, second }) => [first, second]);
    this.#columns = new Map(indices.map((index) => [index, { coded: newCodedCells(0), values: new Float64Array(0) }]));
  }

  /** Keeps the cells of a column that is one of them. */
  take(cells: CellCodes, column: RawColumn, rows: number, index: number, coded: CodedCells): void {
    const own = this.#columns.get(index);
    if (own === undefined) return;
    own.coded = newCodedCells(coded.codes.length, coded);
    if (own.values.length < rows) own.values = new Float64Array(rows);
    cells.readValues(column, rows, own.values);
  }

  /** @param rows of the batch that go to the side, the first of them to the row `first` there */
  addTo(side: EncodedSide, rows: Uint32Array, first: number): void {
    for (const [index, { coded, values }] of this.#columns) {
      const kept = side.values.get(index);
      if (kept !== undefined)
        rows.forEach((row, at) => {
          kept[first + at] = coded.codes[row]! < 0 ? NaN : values[row]!;
        });
    }
    for (const equal of this.equal) {
      const [one, other] = [this.#columns.get(equal.first)!, this.#columns.get(equal.second)!];
      rows.forEach((row, at) => {
        const [oneCode, otherCode] = [one.coded.codes[row]!, other.coded.codes[row]!];
        const overlap = oneCode < 0 || otherCode < 0 ? null : equal.overlap(oneCode, otherCode);
        if (overlap === null) return;
        const areEqual = equal.areEqual(overlap, one.values[row]!, other.values[row]!);
        side.addNats(first + at, equal.second, equal.natsBeyond(overlap, areEqual, other.coded.nats[row]!));
      });
    }
  }
}
