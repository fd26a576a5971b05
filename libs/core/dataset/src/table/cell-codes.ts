import type { OrderedVariable, Variable } from '@orchard/contracts';
import { NO_NUMBER, NumberCells, RepeatedCells, type RawColumn } from '../table-files/raw-column.js';
import type { RawCell, RawTable } from '../table-files/raw-table.js';
import { Encoder, isHole } from '../variables/cell-values.js';
import { addsToCodes, dependsOnValue, isNewNumber, logDensityIn } from '../variables/density.js';
import { isMarkIn } from '../variables/marks-among-numbers.js';
import { PieceDensities } from '../variables/pieces.js';

/** Cells that are remembered of all columns together. */
const REMEMBERED = 2 ** 16;
const MOST = 4096;
/** Cells after which it is clear whether they repeat. */
const TRIED = 4096;

/** What a cell is in a column. */
export interface CellCode {
  /** Null where the variable has none for it. */
  code: number | null;
  /** What the value adds to the log-probability of the code. */
  nats: number;
  /** Whether that is not the code's alone. */
  dependsOnValue: boolean;
}

/** Instead of a code: a missing value, and a value for which the variable has none. */
export const HOLE = -1;
export const NO_CODE = -2;

/** What the cells of some rows are, one after another. */
export interface CodedCells {
  /** A code, {@link HOLE} or {@link NO_CODE}. */
  readonly codes: Int32Array;
  /** Of ordered values, what each adds to the log-probability of its code. */
  readonly nats: Float64Array;
  /** Of ordered values, 1 where that depends on the value, beside its code. */
  readonly dependOnValue: Uint8Array;
}

/** @param before whose cells are the first ones */
export function newCodedCells(rows: number, before?: CodedCells): CodedCells {
  const cells = { codes: new Int32Array(rows), nats: new Float64Array(rows), dependOnValue: new Uint8Array(rows) };
  if (before === undefined) return cells;
  cells.codes.set(before.codes);
  cells.nats.set(before.nats);
  cells.dependOnValue.set(before.dependOnValue);
  return cells;
}

/** The codes of the cells of one column. What cells repeat is looked up rather than read again. */
export class CellCodes {
  readonly #encoder: Encoder;
  /** Texts that are missing values in this column. */
  readonly #marks: ReadonlySet<string>;
  /** Null where its values have no density, or one that is the same everywhere in a cell. */
  readonly #pieces: PieceDensities | null;
  readonly #codeOfCell = new Map<RawCell, CellCode>();
  readonly #most: number;
  /** What cells are that are not remembered, one after another. */
  readonly #passing: CellCode = { code: null, nats: 0, dependsOnValue: false };
  #asked = 0;
  #missed = 0;
  #repeats = true;
  /** What the words of repeated cells are, by place. */
  #words: readonly RawCell[] = [];
  #ofWords = newCodedCells(0);
  #codedWords = 0;

  constructor(
    readonly variable: Variable,
    variables: number,
    marks: RawTable['marks'] = undefined,
  ) {
    const labels = variable.kind === 'ordered' ? [] : variable.labels;
    this.#marks = new Set([...(marks ?? [])].filter((mark) => !labels.includes(mark)));
    this.#encoder = new Encoder(variable);
    const hasPieces = variable.kind === 'ordered' && variable.measure === 'density' && variable.pieces !== undefined;
    this.#pieces = hasPieces ? PieceDensities.of(variable) : null;
    this.#most = Math.max(16, Math.min(MOST, Math.floor(REMEMBERED / variables)));
  }

  /** Codes the cells of some rows. */
  read(column: RawColumn, rows: number, coded: CodedCells): void {
    const { variable } = this;
    if (column instanceof RepeatedCells) this.#readRepeated(column, rows, coded);
    else if (
      column instanceof NumberCells &&
      variable.kind === 'ordered' &&
      variable.format.type === 'number' &&
      variable.format.written === undefined
    )
      this.#readNumbers(column, rows, coded);
    else
      for (let row = 0; row < rows; row++) {
        const cell = column.at(row);
        if (this.#isMissing(cell)) coded.codes[row] = HOLE;
        else put(coded, row, this.#of(cell));
      }
  }

  #isMissing(cell: RawCell | undefined): cell is null | undefined {
    return isHole(cell) || isMarkIn(this.variable, cell) || (typeof cell === 'string' && this.#marks.has(cell));
  }

  /** The numbers that the cells of an ordered column are; NaN where they are none. */
  readValues(column: RawColumn, rows: number, values: Float64Array): void {
    const { variable } = this;
    const { format } = variable as OrderedVariable;
    const areNumbers = column instanceof NumberCells && format.type === 'number' && format.written === undefined;
    for (let row = 0; row < rows; row++) {
      const cell = areNumbers ? column.numbers[row] : column.at(row);
      values[row] = isHole(cell) ? NaN : this.#encoder.value(cell);
    }
  }

  #readRepeated({ words, places }: RepeatedCells, rows: number, { codes, nats, dependOnValue }: CodedCells): void {
    this.#codeWords(words);
    const known = this.#ofWords;
    for (let row = 0; row < rows; row++) codes[row] = known.codes[places[row]!]!;
    if (!addsToCodes(this.variable)) return;
    for (let row = 0; row < rows; row++) nats[row] = known.nats[places[row]!]!;
    for (let row = 0; row < rows; row++) dependOnValue[row] = known.dependOnValue[places[row]!]!;
  }

  /** Of words that grow in number from batch to batch, the new ones are coded. */
  #codeWords(words: readonly RawCell[]): void {
    if (this.#words !== words) {
      this.#words = words;
      this.#codedWords = 0;
    }
    if (words.length > this.#ofWords.codes.length) this.#ofWords = newCodedCells(2 * words.length, this.#ofWords);
    for (; this.#codedWords < words.length; this.#codedWords++) {
      const word = words[this.#codedWords]!;
      put(this.#ofWords, this.#codedWords, this.#isMissing(word) ? HOLE_CODE : this.#fill(this.#passing, word));
    }
  }

  #readNumbers({ numbers, decimals }: NumberCells, rows: number, coded: CodedCells): void {
    const pieces = this.#pieces;
    if (pieces === null) {
      for (let row = 0; row < rows; row++)
        if (decimals[row] === NO_NUMBER) coded.codes[row] = HOLE;
        else put(coded, row, this.#fill(this.#passing, numbers[row]!));
      return;
    }
    const { codes, nats, dependOnValue } = coded;
    const atoms = this.#encoder.values;
    for (let row = 0; row < rows; row++) {
      const value = numbers[row]!;
      const atom = atoms?.get(value);
      if (decimals[row] === NO_NUMBER) codes[row] = HOLE;
      else if (atom !== undefined) {
        codes[row] = atom;
        nats[row] = 0;
        dependOnValue[row] = 0;
      } else {
        codes[row] = pieces.codeAndNats(value, nats, row);
        dependOnValue[row] = 1;
      }
    }
  }

  /** Valid until the next cell. */
  #of(cell: Exclude<RawCell, null>): CellCode {
    if (!this.#repeats) return this.#fill(this.#passing, cell);
    this.#asked++;
    const known = this.#codeOfCell.get(cell);
    if (known !== undefined) return known;
    if (this.#codeOfCell.size < this.#most) {
      const coded = this.#fill({ ...this.#passing }, cell);
      this.#codeOfCell.set(cell, coded);
      return coded;
    }
    this.#missed++;
    if (this.#asked >= TRIED) {
      this.#repeats = this.#missed * 2 < this.#asked;
      this.#asked = 0;
      this.#missed = 0;
      if (!this.#repeats) this.#codeOfCell.clear();
    }
    return this.#fill(this.#passing, cell);
  }

  #fill(coded: CellCode, cell: Exclude<RawCell, null>): CellCode {
    const value = this.#encoder.value(cell);
    const code = this.#encoder.code(cell, value);
    coded.code = code;
    coded.nats = code === null ? 0 : logDensityIn(this.variable, code, value);
    coded.dependsOnValue =
      code !== null && (dependsOnValue(this.variable, code) || isNewNumber(this.variable, code, value));
    return coded;
  }
}

const HOLE_CODE: CellCode = { code: HOLE, nats: 0, dependsOnValue: false };

function put({ codes, nats, dependOnValue }: CodedCells, row: number, cell: CellCode): void {
  codes[row] = cell.code ?? NO_CODE;
  nats[row] = cell.nats;
  dependOnValue[row] = cell.dependsOnValue ? 1 : 0;
}
