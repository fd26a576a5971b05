import { ModelError } from '../errors.js';

/** What makes rows odd. Surprise is `-log P(value | earlier values)` in nats. */
export interface Score {
  /** log P(row) in nats, of each row, as `logLikelihood` of the model has it. */
  readonly logLikelihood: Float64Array;
  /** Surprise of each value: element `row * D + column`. */
  readonly surprise: Float64Array;
  /** The most surprising columns of each row, the most surprising first: element `row * top + rank`. */
  readonly columns: Uint32Array;
  /** Columns named a row. */
  readonly top: number;
}

/**
 * Ranks the columns of each row by surprise; ties go to the lower column. O(rows x D x top) at worst.
 *
 * @param ordering in which the columns of a row are summed, where it is not the stored one
 */
export function scoreCells(cells: Float64Array, dimensions: number, top: number, ordering?: Uint32Array): Score {
  if (!Number.isInteger(top) || top < 0) {
    throw new ModelError('invalid-argument', {
      got: `top ${top}`,
      expected: 'a whole number from 0 on',
      remedy: 'Say how many of the most surprising columns to name for each row.',
    });
  }
  const kept = Math.min(top, dimensions);
  const rows = cells.length / dimensions;
  const logLikelihood = new Float64Array(rows);
  const columns = new Uint32Array(rows * kept);
  const surprise = new Float64Array(cells.length);
  for (let row = 0; row < rows; row++) {
    const ranking: number[] = [];
    for (let dim = 0; dim < dimensions; dim++) {
      const at = row * dimensions + dim;
      const value = -cells[at]!;
      surprise[at] = value;
      logLikelihood[row]! += cells[row * dimensions + (ordering?.[dim] ?? dim)]!;
      let rank = ranking.length;
      while (rank > 0 && surprise[row * dimensions + ranking[rank - 1]!]! < value) rank--;
      if (rank < kept) {
        ranking.splice(rank, 0, dim);
        if (ranking.length > kept) ranking.pop();
      }
    }
    columns.set(ranking, row * kept);
  }
  return { logLikelihood, surprise, columns, top: kept };
}
