import type { Table } from '@orchard/contracts';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { encodedBits } from '../table-files/bit-table.js';
import type { RawBatch, RawCell, RawTable } from '../table-files/raw-table.js';
import { isHole, labelOf, numberOf } from '../variables/cell-values.js';
import { placesInFile, encodeTable, readFor, type EncodedRows, type EncodeOptions } from './encode-table.js';

/** Cells that are held at a time, as the file has them. */
const MOST_CELLS = 2 ** 18;

/** Some consecutive rows of a file as codes. */
export interface EncodedPart extends EncodedRows {
  /** Its number in the file, from 0. */
  readonly firstRow: number;
  /** A cell as the file has it, null for a missing value. @param row of the part */
  text(row: number, variable: number): string | null;
  /** The number that a cell of an ordered variable is; NaN of any other. @param row of the part */
  numberAt(row: number, variable: number): number;
}

/**
 * The rows of a file as codes, a part at a time, so that memory does not grow with the file.
 *
 * @param isWanted whether a part of rows `from ... to - 1` is to be encoded. @default all are
 * @throws DatasetError as {@link encodeTable}
 */
export async function* encodeParts(
  file: RawTable,
  table: Table,
  options: Pick<EncodeOptions, 'missing' | 'withDensities' | 'mayBeUnknown'>,
  isWanted: (from: number, to: number) => boolean = () => true,
): AsyncGenerator<EncodedPart, void> {
  if (file.bits !== undefined) {
    yield* partsOfBits(file.bits, file.knownBits, isWanted);
    return;
  }
  const raw = readFor(table, file);
  const places = placesInFile(raw, table);
  let batches: RawBatch[] = [];
  let [firstRow, rows] = [0, 0];
  const encode = async function* (): AsyncGenerator<EncodedPart, void> {
    if (rows > 0 && isWanted(firstRow, firstRow + rows)) {
      const held = batches;
      const part: RawTable = { ...raw, batches: () => replay(held) };
      const [encoded] = await encodeTable(part, table, [rows], { ...options, firstRow });
      const text = (row: number, variable: number): string | null => textIn(held, row, places[variable]!);
      const numberAt = (row: number, index: number): number => {
        const variable = table.variables[index]!;
        const cell = cellIn(held, row, places[index]!);
        return variable.kind === 'ordered' && !isHole(cell) ? numberOf(cell, variable.format) : NaN;
      };
      yield { ...encoded!, firstRow, text, numberAt };
    }
    firstRow += rows;
    batches = [];
    rows = 0;
  };
  for await (const batch of raw.batches(new Set(places))) {
    batches.push(batch);
    rows += batch.rows;
    if (rows * raw.columns.length >= MOST_CELLS) yield* encode();
  }
  yield* encode();
}

/** Bits that are held at a time, with eight bytes a bit of what is said of them. */
const MOST_BITS = 2 ** 22;

function* partsOfBits(
  bits: BitMatrix,
  known: BitMatrix | undefined,
  isWanted: (from: number, to: number) => boolean,
): Generator<EncodedPart, void> {
  const most = Math.max(1, Math.floor(MOST_BITS / bits.dimensions));
  for (let firstRow = 0; firstRow < bits.rows; firstRow += most) {
    const end = Math.min(bits.rows, firstRow + most);
    if (!isWanted(firstRow, end)) continue;
    const text = (row: number, index: number): string | null =>
      known?.get(firstRow + row, index) === 0 ? null : String(bits.get(firstRow + row, index));
    yield { ...encodedBits(bits, firstRow, end, known), firstRow, text, numberAt: () => NaN };
  }
}

async function* replay(batches: readonly RawBatch[]): AsyncGenerator<RawBatch, void> {
  await Promise.resolve();
  yield* batches;
}

function textIn(batches: readonly RawBatch[], row: number, place: number): string | null {
  const cell = cellIn(batches, row, place);
  return isHole(cell) ? null : labelOf(cell);
}

function cellIn(batches: readonly RawBatch[], row: number, place: number): RawCell | undefined {
  let first = 0;
  for (const { rows, columns } of batches) {
    if (row < first + rows) return columns[place]!.at(row - first);
    first += rows;
  }
  throw new RangeError(`row ${row} of ${first}`);
}
