import { DatasetError, quote } from '../errors.js';
import { placeOfColumn } from '../reading/place-of-column.js';
import type { RawCell, RawTable } from '../table-files/raw-table.js';

/**
 * How much each row of a file weighs: the numbers of a column, all above 0.
 *
 * @throws DatasetError `column` where the file has no such column, `missing-value` and `value` for a row without a
 *   weight, by its number
 */
export async function readWeights(raw: RawTable, column: string): Promise<Float64Array> {
  const expected = 'a column of the file, which weighs its rows';
  const place = placeOfColumn(column, raw.columns, { where: raw.name, expected });
  let weights = new Float64Array(1024);
  let first = 0;
  for await (const { rows, columns } of raw.batches(new Set([place]))) {
    if (first + rows > weights.length) {
      const wider = new Float64Array(2 * (first + rows));
      wider.set(weights);
      weights = wider;
    }
    for (let row = 0; row < rows; row++) {
      const cell = columns[place]!.at(row) ?? null;
      const weight = numberIn(cell);
      if (!(weight > 0 && weight < Infinity)) throw noWeight(raw, column, cell, first + row);
      weights[first + row] = weight;
    }
    first += rows;
  }
  return weights.slice(0, first);
}

function numberIn(cell: RawCell): number {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : NaN;
}

function noWeight(raw: RawTable, column: string, cell: RawCell, row: number): DatasetError {
  const isMissing = cell === null || (typeof cell === 'number' && Number.isNaN(cell));
  return new DatasetError(isMissing ? 'missing-value' : 'value', {
    got: isMissing ? 'a missing weight' : `the weight ${quote(String(cell))}`,
    expected: 'a number above 0',
    where: `${raw.name}, row ${row + 1}, column ${quote(column)}`,
    remedy: 'Correct it, or leave out the row: a row of weight zero is none.',
  });
}
