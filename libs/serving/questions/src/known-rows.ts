import {
  encodeTable,
  isHole,
  numberOf,
  type BitMatrix,
  type EncodedRows,
  type RawBatch,
  type RawTable,
  type SecondFile,
} from '@orchard/dataset';
import { knownBits, misfitWords, NewCellCounts, type TabularModel } from '@orchard/model';

/** Rows as codes, and of each bit whether it is known. */
export interface KnownRows extends EncodedRows {
  readonly known: BitMatrix;
  /** Rows with unknown values. */
  readonly incomplete: readonly number[];
  /** The number of a cell; NaN where it is missing or not a number, and where numbers were not asked for. */
  numberAt(row: number, variable: number): number;
  /** What is made of cells that are not read as they stand, one sentence each. */
  readonly said: readonly string[];
}

/** What is asked of rows beside their codes. */
export interface CodesAsked {
  /** Whether a missing value is a value, where training had some, or not known. A bit is not known. */
  readonly missing: 'value' | 'unknown';
  /** Whether numbers of cells are asked for. @default false */
  readonly withNumbers?: boolean;
  /** Whether a cell was said at all: of any other nothing is known. @default all were */
  readonly isSaid?: (row: number, variable: number) => boolean;
}

/**
 * The rows of a question as codes of the model's columns.
 *
 * @param count rows
 */
export async function knownRows(
  model: TabularModel,
  { table, remarks }: Pick<SecondFile, 'table' | 'remarks'>,
  count: number,
  { missing, withNumbers = false, isSaid }: CodesAsked,
): Promise<KnownRows> {
  const options = { missing, withDensities: true, mayBeUnknown: true } as const;
  const [encoded] = await encodeTable(table, model.table, [count], options);
  const known = knownBits(encoded!, model);
  if (isSaid !== undefined) forget(model, [encoded!.matrix, known], isSaid);
  const becomes = missing === 'unknown' ? 'kept as written' : 'counted as missing';
  const said = [
    ...remarks,
    ...new NewCellCounts(model)
      .add(encoded!)
      .cells.filter(({ misfits }) => misfits > 0)
      .map((cells) => misfitWords(cells, becomes)),
  ];
  const incomplete = encoded!.known === null && isSaid === undefined ? [] : incompleteRows(model, known);
  return { ...encoded!, known, said, incomplete, numberAt: withNumbers ? await numbersOf(table, model) : () => NaN };
}

/** Leaves nothing of the cells that were not said, which the table has as missing values. */
function forget(
  { offsets, variables }: TabularModel,
  matrices: readonly BitMatrix[],
  isSaid: NonNullable<CodesAsked['isSaid']>,
): void {
  for (let row = 0; row < matrices[0]!.rows; row++)
    for (let index = 0; index < variables; index++)
      if (!isSaid(row, index))
        for (let bit = offsets[index]!; bit < offsets[index + 1]!; bit++)
          for (const matrix of matrices) matrix.set(row, bit, 0);
}

/** The numbers of cells, for those who ask for them; NaN where a cell is missing or not a number. */
async function numbersOf(raw: RawTable, { table }: TabularModel): Promise<KnownRows['numberAt']> {
  const places = table.variables.map(({ name, kind }) => (kind === 'ordered' ? raw.columns.indexOf(name) : -1));
  const batches: RawBatch[] = [];
  for await (const batch of raw.batches(new Set(places))) batches.push(batch);
  return (row, index) => {
    const variable = table.variables[index]!;
    let first = 0;
    for (const { rows, columns } of batches) {
      if (row < first + rows) {
        const cell = columns[places[index]!]?.at(row - first);
        return variable.kind === 'ordered' && !isHole(cell) ? numberOf(cell, variable.format) : NaN;
      }
      first += rows;
    }
    return NaN;
  };
}

function incompleteRows(model: TabularModel, known: BitMatrix): number[] {
  const rows = Array.from({ length: known.rows }, (_, row) => row);
  return rows.filter((row) => model.table.variables.some((_, index) => known.get(row, model.offsets[index]!) === 0));
}

/** What the values of each row add to the log-probability of its codes, nats. */
export function densitiesOf(
  { logDensity }: Pick<EncodedRows, 'logDensity'>,
  { variables }: TabularModel,
): Float64Array {
  return Float64Array.from({ length: logDensity.length / variables }, (_, row) =>
    logDensity.subarray(row * variables, (row + 1) * variables).reduce((sum, nats) => sum + nats, 0),
  );
}
