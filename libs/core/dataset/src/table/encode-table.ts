import { encodedBits } from '../table-files/bit-table.js';
import type { Table, Variable } from '@orchard/contracts';
import { BitMatrix } from '../rows/bit-matrix.js';
import { Columns } from '../rows/columns-of-rows.js';
import { correctColumn } from '../reading/closest-names.js';
import { DatasetError, quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import type { RawCell, RawTable } from '../table-files/raw-table.js';
import { MARKS_OR_LABELS } from '../table-files/table-options.js';
import { expectedCell, labelOf } from '../variables/cell-values.js';
import { codeOffsets, holeCode, otherCode, writeCode, writeCodes } from '../variables/codes.js';
import { addsToCodes, isMass } from '../variables/density.js';
import { equalColumnsOf, unknownValues, type KnownValues } from '../variables/equal-columns.js';
import { LONGEST_NUMBER, writeTable } from '../rows/bit-layout.js';
import { withMostCuts, type withTellingCuts } from './telling-cuts.js';
import { CellCodes, HOLE, newCodedCells, NO_CODE, type CodedCells } from './cell-codes.js';
import { EqualCells } from './equal-cells.js';

/** Rows of a file as codes. */
export interface EncodedRows {
  /** Rows of the table's bits. */
  readonly matrix: BitMatrix;
  /** Of each bit of {@link matrix}, 1 where it is known; null where all are. */
  readonly known: BitMatrix | null;
  /** What each value adds to the log-probability of its code, nats: element `row * V + variable`; 0 where unknown. */
  readonly logDensity: Float64Array;
  /** Of each variable, the values that training never saw. */
  readonly unseen: Uint32Array;
  /**
   * Cells that are there and have no code, such as a word among numbers, `row * V + variable`: nothing is known of
   * them, as of a missing value, but none is to be filled in. Empty without densities.
   */
  readonly misfits: ReadonlySet<number>;
  /** Of each variable the first of them; null where there is none. */
  readonly firstMisfits: readonly (Misfit | null)[];
  /** Of columns that are often equal; empty without densities. */
  readonly values: KnownValues;
}

/** A cell that has no code: its row in the file, from 1, and what it says. */
export interface Misfit {
  readonly row: number;
  readonly text: string;
}

export interface EncodeOptions {
  /**
   * What a missing value means where the variable has some: a value as any other, or that it is not known.
   *
   * @default value
   */
  readonly missing?: 'value' | 'unknown';
  /** Which of `splits` matrices each row goes to; all to one without it. */
  readonly splitOf?: Uint8Array | null;
  /** 1 for each row that goes to none; null where all go somewhere. */
  readonly leftOut?: Uint8Array | null;
  /** Whether {@link EncodedRows.logDensity} is wanted; it is empty otherwise. */
  readonly withDensities?: boolean;
  /** The number of the first row in its file, for messages. @default 0 */
  readonly firstRow?: number;
  /**
   * The table that the matrices carry, derived from the codes of the first split; codes have to mean the same.
   *
   * @default as it is
   */
  readonly refine?: typeof withTellingCuts;
  /** Whether missing values and values that have no code may be unknown; refused otherwise. */
  readonly mayBeUnknown?: boolean;
}

const NONE: ReadonlySet<number> = new Set();

/** Counts the rows of a file: one pass. */
export async function countRows(raw: RawTable): Promise<number> {
  let count = 0;
  for await (const { rows } of raw.batches(NONE)) count += rows;
  return count;
}

/** Rows that have a missing value in a column that has none in training. */
export interface IncompleteRows {
  /** All rows of the file. */
  readonly rows: number;
  /** 1 for each incomplete row; null where there is none. */
  readonly isIncomplete: Uint8Array | null;
  readonly incomplete: number;
  /** The columns that have such missing values. */
  readonly columns: readonly string[];
}

/**
 * Counts the rows of a file, and finds those with missing values that no code stands for, or with no number where
 * numbers are: one pass, a byte a row.
 */
export async function findIncomplete(file: RawTable, table: Table): Promise<IncompleteRows> {
  const raw = readFor(table, file);
  const places = placesInFile(raw, table);
  const whole = table.variables.flatMap((variable, index) => (holeCode(variable) === null ? [index] : []));
  const found = new Set<number>();
  const cells = table.variables.map((variable) => new CellCodes(variable, table.variables.length, raw.marks));
  let coded = newCodedCells(0);
  let marks = new Uint8Array(1024);
  let incomplete = 0;
  let first = 0;
  for await (const { rows, columns } of raw.batches(new Set(whole.map((index) => places[index]!)))) {
    if (first + rows > marks.length) {
      const wider = new Uint8Array(2 * (first + rows));
      wider.set(marks);
      marks = wider;
    }
    if (coded.codes.length < rows) coded = newCodedCells(rows);
    for (const index of whole) {
      cells[index]!.read(columns[places[index]!]!, rows, coded);
      // where it is strict, what is not a number is refused when the rows are encoded
      const isLeftOut = table.variables[index]!.kind === 'ordered' && raw.isStrict !== true;
      for (let row = 0; row < rows; row++) {
        const code = coded.codes[row];
        if (code !== HOLE && !(isLeftOut && code === NO_CODE)) continue;
        found.add(index);
        incomplete += 1 - marks[first + row]!;
        marks[first + row] = 1;
      }
    }
    first += rows;
  }
  const columns = whole.filter((index) => found.has(index)).map((index) => table.variables[index]!.name);
  return { rows: first, isIncomplete: incomplete > 0 ? marks : null, incomplete, columns };
}

/**
 * The rows of a file as codes of a table's variables, split as asked. One pass; memory is that of the result.
 *
 * @param counts rows of each split
 * @throws DatasetError `column` for columns that are missing, `value` or `missing-value` for what no code stands for
 */
export async function encodeTable(
  file: RawTable,
  table: Table,
  counts: readonly number[],
  {
    missing = 'value',
    splitOf = null,
    leftOut = null,
    withDensities = false,
    firstRow = 0,
    refine = (same) => same,
    mayBeUnknown = false,
  }: EncodeOptions = {},
): Promise<EncodedRows[]> {
  if (file.bits !== undefined) return [encodedBits(file.bits, 0, file.bits.rows, file.knownBits)];
  const raw = readFor(table, file);
  const places = placesInFile(raw, table);
  const offsets = codeOffsets(table);
  const cells = table.variables.map((variable) => new CellCodes(variable, table.variables.length, raw.marks));
  const otherCodes = table.variables.map((variable) => otherCode(variable) ?? -1);
  const sides = counts.map((rows) => new Side(rows, table, offsets, withDensities));
  const equal = new EqualCells(equalColumnsOf(table));
  let first = 0;
  let coded = newCodedCells(0);
  for await (const { rows, columns } of raw.batches(new Set(places))) {
    if (coded.codes.length < rows) coded = newCodedCells(rows);
    const shares = shareOut(sides, rows, first, splitOf, leftOut);
    // columns one after another: of several refusals, the first in the file is reported
    let refused: { readonly row: number; readonly error: () => DatasetError } | null = null;
    for (let index = 0; index < cells.length; index++) {
      const column = columns[places[index]!]!;
      cells[index]!.read(column, rows, coded);
      const { variable } = cells[index]!;
      equal.take(cells[index]!, column, rows, index, coded);
      const isWhole = shares.map((share) => share.side.writeColumn(share, index, coded, otherCodes[index]!));
      if (isWhole.every((each) => each)) continue;
      const hole = missing === 'value' ? holeCode(variable) : null;
      for (const { side, rows: ofBatch, first: firstTarget } of shares)
        for (let at = 0; at < ofBatch.length; at++) {
          const row = ofBatch[at]!;
          const code = coded.codes[row]!;
          if (code >= 0) continue;
          const target = firstTarget + at;
          if (code === HOLE) {
            if (hole !== null) side.write(target, index, hole);
            else if (mayBeUnknown) side.leaveUnknown(target, index);
            else if (refused === null || row < refused.row)
              refused = { row, error: () => unexpectedHole(raw, variable.name, firstRow + first + row) };
          } else {
            // what is not a number is missing, where numbers may be; a label that training never had is not known
            side.unseen[index]!++;
            const isMisfit = variable.kind === 'ordered';
            const isRefused = isMisfit && raw.isStrict === true;
            if (withDensities) {
              side.misfits.add(target * cells.length + index);
              side.firstMisfits[index] ??= { row: firstRow + first + row + 1, text: labelOf(column.at(row)!) };
            }
            if (isMisfit && hole !== null && !isRefused) side.write(target, index, hole);
            else if (mayBeUnknown && !isRefused) side.leaveUnknown(target, index);
            else if (refused === null || row < refused.row)
              refused = { row, error: () => noSuchValue(raw, variable, column.at(row)!, firstRow + first + row) };
          }
        }
    }
    if (refused !== null) throw refused.error();
    for (const share of shares) equal.addTo(share.side, share.rows, share.first);
    first += rows;
  }
  const refined = refine(table, sides[0]!.codes);
  return sides.map((side) => side.finish(refined));
}

/** A file with the texts that are missing values elsewhere in those columns, or files, that have them as labels. */
export function readFor(table: Table, file: RawTable): RawTable {
  const hasEmpty = table.variables.some((variable) => variable.kind !== 'ordered' && variable.labels.includes(''));
  if (hasEmpty && file.withEmptyTexts !== undefined) return { ...file, batches: file.withEmptyTexts.batches };
  if (file.withMarks === undefined || file.marks !== undefined) return file;
  const hasLabel = (variable: Variable): boolean =>
    variable.kind !== 'ordered' && variable.labels.some((label) => MARKS_OR_LABELS.has(label));
  if (!table.variables.some(hasLabel)) return file;
  const places = placesInFile(file, table);
  return file.withMarks(new Set(places.filter((_, index) => hasLabel(table.variables[index]!))));
}

/** Which rows of a batch go to one side, ascending, and the row there of the first of them: the others follow it. */
interface Share {
  readonly side: Side;
  readonly rows: Uint32Array;
  readonly first: number;
}

function shareOut(
  sides: readonly Side[],
  rows: number,
  first: number,
  splitOf: Uint8Array | null,
  leftOut: Uint8Array | null,
): readonly Share[] {
  return sides.map((side, split) => {
    const own = new Uint32Array(rows);
    let count = 0;
    for (let row = 0; row < rows; row++)
      if (leftOut?.[first + row] !== 1 && (splitOf === null ? 0 : splitOf[first + row]) === split) own[count++] = row;
    const share = { side, rows: own.subarray(0, count), first: side.row };
    side.row += count;
    return share;
  });
}

/** The rows of one split while they come in. */
class Side {
  row = 0;
  readonly unseen: Uint32Array;
  readonly misfits = new Set<number>();
  readonly firstMisfits: (Misfit | null)[];
  /**
   * What they mean is written when all rows were seen: here is the room for it, since a copy would hold the codes
   * twice.
   */
  readonly codes: BitMatrix;
  /** Made for the first cell that is not known. */
  #known: BitMatrix | null = null;
  readonly #logDensity: Float64Array;
  readonly #tailNats: Float64Array;
  readonly values: KnownValues;

  constructor(
    private readonly rows: number,
    private readonly table: Table,
    private readonly offsets: Uint32Array,
    private readonly withDensities: boolean,
  ) {
    const width = offsets.at(-1)!;
    const tailNats = table.variables.map(() => LONGEST_NUMBER);
    this.codes = BitMatrix.create(rows, width, { columns: Columns.of(withMostCuts(table), tailNats) });
    this.#logDensity = new Float64Array(withDensities ? rows * table.variables.length : 0);
    this.#tailNats = new Float64Array(table.variables.length);
    this.unseen = new Uint32Array(table.variables.length);
    this.firstMisfits = table.variables.map(() => null);
    this.values = withDensities ? unknownValues(table, rows) : new Map();
  }

  /** Writes the cells of one column that have a code. @returns whether all have one */
  writeColumn(
    { rows, first }: Share,
    index: number,
    { codes, nats, dependOnValue }: CodedCells,
    other: number,
  ): boolean {
    const { variables } = this.table;
    const [from, to] = [this.offsets[index]!, this.offsets[index + 1]!];
    const isWhole = writeCodes(this.codes, first, from, to, codes, rows);
    // of masses only numbers that training never had add to their codes
    const areMasses = isMass(variables[index]!);
    let others = 0;
    if (other >= 0)
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at]!;
        // of a cell without a code, the mark is that of another column
        if (codes[row] === other || (areMasses && codes[row]! >= 0 && dependOnValue[row] === 1)) others++;
      }
    this.unseen[index]! += others;
    if (!addsToCodes(variables[index]!)) return isWhole;
    let tail = this.#tailNats[index]!;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      if (codes[row]! < 0) continue;
      if (this.withDensities) this.#logDensity[(first + at) * variables.length + index] = nats[row]!;
      if (dependOnValue[row] === 1) tail += nats[row]!;
    }
    this.#tailNats[index] = tail;
    return isWhole;
  }

  /** Nats of a value that depend on the rest of its row. */
  addNats(row: number, index: number, nats: number): void {
    if (this.withDensities) this.#logDensity[row * this.table.variables.length + index]! += nats;
    this.#tailNats[index]! += nats;
  }

  write(row: number, index: number, code: number): void {
    writeCode(this.codes, row, this.offsets[index]!, this.offsets[index + 1]!, code);
  }

  leaveUnknown(row: number, index: number): void {
    const { offsets } = this;
    this.#known ??= allOnes(this.rows, offsets.at(-1)!);
    for (let bit = offsets[index]!; bit < offsets[index + 1]!; bit++) this.#known.set(row, bit, 0);
  }

  finish(table: Table): EncodedRows {
    const { buffer } = this.codes;
    writeTable(buffer, { table, tailNats: [...this.#tailNats] });
    return {
      matrix: BitMatrix.from(buffer),
      known: this.#known,
      logDensity: this.#logDensity,
      unseen: this.unseen,
      misfits: this.misfits,
      firstMisfits: this.firstMisfits,
      values: this.values,
    };
  }
}

function allOnes(rows: number, width: number): BitMatrix {
  const ones = BitMatrix.create(rows, width);
  const full = width >> 3;
  for (let row = 0; row < rows; row++) {
    const start = row * ones.stride;
    ones.bytes.fill(0xff, start, start + full);
    if ((width & 7) > 0) ones.bytes[start + full] = (0xff << (8 - (width & 7))) & 0xff;
  }
  return ones;
}

/** The place in the file of each variable's column: by name, or as they are where the file has no names. */
export function placesInFile(raw: RawTable, { variables, columns, leftOut }: Table): number[] {
  const { columns: names, name: where } = raw;
  if (!raw.hasHeader && names.length === columns.length) return variables.map(({ name }) => columns.indexOf(name));
  if (!raw.hasHeader && names.length === variables.length) return variables.map((_, index) => index);
  const absent = variables.filter(({ name }) => !names.includes(name)).map(({ name }) => name);
  if (absent.length === 0) return variables.map(({ name }) => names.indexOf(name));
  const optional = leftOut.length === 0 ? '' : ` (${leftOut.map(({ name }) => quote(name)).join(', ')} are not needed)`;
  throw new DatasetError('column', {
    got: raw.hasHeader ? `no column ${absent.map(quote).join(', ')}` : `${names.length} columns without names`,
    expected: `the columns ${variables.map(({ name }) => quote(name)).join(', ')}${optional}`,
    where,
    remedy: raw.hasHeader
      ? `${correctColumn(absent[0]!, names)} Give a file with the columns of training, in any order.`
      : 'Give a file with these columns; their order does not matter where they have names.',
  });
}

function unexpectedHole(raw: RawTable, column: string, row: number): DatasetError {
  return new DatasetError('missing-value', {
    got: 'a missing value',
    expected: 'a value: the training rows have one in every row',
    where: `${raw.name}, row ${row + 1}, column ${quote(column)}`,
    remedy: 'Fill it in, leave out the row, or train on rows with missing values in that column.',
  });
}

/** Refuses a cell that a variable has no code for. @param row in the file, from 0 */
export function noSuchValue(raw: RawTable, variable: Variable, cell: RawCell, row: number): DatasetError {
  const expected =
    variable.kind === 'ordered' ? expectedCell(variable.format) : variable.labels.map(quote).join(' or ');
  return new DatasetError('value', {
    got: quote(String(cell)),
    expected,
    where: `${raw.name}, row ${row + 1}, column ${quote(variable.name)}`,
    remedy: `Correct the cell, or ${withWord(raw.wordFor ?? noWord, 'say that it marks a missing value', 'missing')}.`,
  });
}
