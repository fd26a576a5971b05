import type { OrderedVariable, Variable } from '@orchard/contracts';
import type { RawTable } from '../table-files/raw-table.js';
import { gridOf, isMeasured } from '../variables/equal-columns.js';
import { CellCodes, newCodedCells } from './cell-codes.js';

/** Of the training rows the first ones are looked at: so many, and so many cells of all columns. */
const MOST_ROWS = 2 ** 15;
const MOST_CELLS = 2 ** 20;

/** The cells of a column in the training rows that are looked at. */
export interface ComparedColumn {
  /** Of its variable. */
  readonly index: number;
  readonly variable: OrderedVariable;
  readonly codes: Int32Array;
  readonly nats: Float64Array;
  readonly values: Float64Array;
}

/** The rows of a file, and which of them train: 0 in `splitOf`, or all without it. */
export interface TrainingPart {
  readonly rows: number;
  readonly splitOf: Uint8Array | null;
}

/**
 * The measurements of which others are on the same grid, in the first training rows; none where there are no such.
 *
 * @param variables of columns of the file
 */
export async function comparedColumns(
  raw: RawTable,
  variables: readonly Variable[],
  { rows: all, splitOf }: TrainingPart,
): Promise<readonly ComparedColumn[]> {
  const compared = onOneGrid(variables);
  if (compared.length === 0) return [];
  const most = Math.min(all, MOST_ROWS, Math.floor(MOST_CELLS / compared.length));
  const places = compared.map((index) => raw.columns.indexOf(variables[index]!.name));
  const cells = compared.map((index) => new CellCodes(variables[index]!, compared.length));
  const whole = compared.map((index) => ({
    index,
    variable: variables[index] as OrderedVariable,
    codes: new Int32Array(most),
    nats: new Float64Array(most),
    values: new Float64Array(most),
  }));
  let [first, kept] = [0, 0];
  let coded = newCodedCells(0);
  let values = new Float64Array(0);
  for await (const { rows, columns } of raw.batches(new Set(places))) {
    if (coded.codes.length < rows) {
      coded = newCodedCells(rows);
      values = new Float64Array(rows);
    }
    const training = Array.from({ length: rows }, (_, row) => row)
      .filter((row) => splitOf === null || splitOf[first + row] === 0)
      .slice(0, most - kept);
    cells.forEach((own, at) => {
      const { codes, nats, values: ofColumn } = whole[at]!;
      own.read(columns[places[at]!]!, rows, coded);
      own.readValues(columns[places[at]!]!, rows, values);
      training.forEach((row, place) => {
        codes[kept + place] = coded.codes[row]!;
        nats[kept + place] = coded.nats[row]!;
        ofColumn[kept + place] = values[row]!;
      });
    });
    first += rows;
    kept += training.length;
    if (kept === most) break;
  }
  return whole.map(({ index, variable, ...cells }) => ({
    index,
    variable,
    codes: cells.codes.subarray(0, kept),
    nats: cells.nats.subarray(0, kept),
    values: cells.values.subarray(0, kept),
  }));
}

/** Measurements of which others are on the same grid. */
function onOneGrid(variables: readonly Variable[]): readonly number[] {
  const alike = new Map<string, number[]>();
  variables.forEach((variable, index) => {
    if (!isMeasured(variable)) return;
    const grid = gridOf(variable);
    const own = alike.get(grid);
    if (own === undefined) alike.set(grid, [index]);
    else own.push(index);
  });
  return [...alike.values()].filter((own) => own.length > 1).flat();
}
