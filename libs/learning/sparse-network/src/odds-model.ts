import type { BitMatrix } from '@orchard/dataset';
import { draws, emptyMatrix, logProbability, SequentialModel } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';

/** A model that goes from column to column by the odds of a 1. */
export abstract class OddsModel extends SequentialModel {
  /** Visits the odds of a 1 of each value given those before it, row after row; the visitor says what it is. */
  protected abstract visitOdds(rows: number, visit: (row: number, column: number, odds: number) => 0 | 1): void;

  protected override visitCells(rows: BitMatrix, visit: (row: number, column: number, nats: number) => void): void {
    this.visitOdds(rows.rows, (row, column, odds) => {
      const value = rows.get(row, column);
      visit(row, column, logProbability(value, odds));
      return value;
    });
  }

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    let stream = new RandomStream(seed, Purpose.sample);
    this.visitOdds(count, (row, column, odds) => {
      if (column === 0) stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      const value = draws(stream.uniform(), odds) ? 1 : 0;
      if (value === 1) matrix.set(row, column, 1);
      return value;
    });
    return matrix;
  }
}
