import type { Variable } from '@orchard/contracts';
import {
  addEqualNats,
  type BitMatrix,
  DatasetError,
  correctColumn,
  Encoder,
  holeCode,
  isHole,
  isMarkIn,
  isNewNumber,
  isOfWholeNumbers,
  logDensityIn,
  numberOf,
  otherCode,
  readRowsAsTrained,
  unknownValues,
  writeCode,
  type KnownValues,
  type OptionWord,
  type RawCell,
  type Reading,
  type TableOptionName,
} from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { QuestionError } from './errors.js';
import type { Cell, Row, ScoreRequest } from './row-documents.js';

type RowsRequest = Pick<ScoreRequest, 'rows' | 'names' | 'types'>;

/** Rows of a request as codes. */
export interface EncodedRequest {
  readonly matrix: BitMatrix;
  /** Of each bit, 1 where it is known. */
  readonly known: BitMatrix;
  /**
   * Cells as they came: element `[row][variable]`; undefined where they are missing and no value stands for that.
   */
  readonly cells: readonly (readonly (Cell | undefined)[])[];
  /**
   * Cells that are there and have no code, as a word among numbers, `row * V + variable`: nothing is known of them, and
   * they are not filled in.
   */
  readonly misfits: ReadonlySet<number>;
  /** The numbers of the rows with cells of which nothing is known. */
  readonly incomplete: readonly number[];
  /** What each value adds to the log-probability of its code, nats: element `row * V + variable`. */
  readonly logDensity: Float64Array;
  /** Of columns that are often equal. */
  readonly values: KnownValues;
  /** Of each variable how its cells are read; null where they are read as they stand. */
  readonly readings: readonly (Reading | null)[];
  /** Values that training never saw, misfits not among them. */
  readonly unseen: number;
}

/**
 * Rows as the codes of a model's variables. A column that a row has not is unknown; null is an absent value where
 * training had any, and unknown otherwise.
 *
 * @param missing `unknown` where null is unknown too
 * @throws DatasetError `column` for columns that the model has not, `value` for what no code stands for
 */
export function encodeRows(
  model: TabularModel,
  { rows, names, types }: RowsRequest,
  missing: 'value' | 'unknown',
): EncodedRequest {
  if (model.ofBits !== undefined && names === undefined && rows.every((row) => Array.isArray(row)))
    return encodeLists(model, rows);
  const { variables } = model.table;
  const encoders = variables.map((variable) => new Encoder(variable));
  const matrix = model.emptyRows(rows.length);
  const known = model.emptyRows(rows.length);
  const logDensity = new Float64Array(rows.length * variables.length);
  const values = unknownValues(model.table, rows.length);
  const misfits = new Set<number>();
  const incomplete = new Set<number>();
  let unseen = 0;
  const given = rows.map((row, at) => {
    const own = cellsOf(model, row, names, at);
    return variables.map(({ name }, index): Cell | undefined => own(name, index));
  });
  const readings = readingsOf(model, given, types);
  const cells = given.map((row, at) =>
    encoders.map((encoder, index): Cell | undefined => {
      const { variable } = encoder;
      const own = row[index];
      const reading = readings[index] ?? null;
      const cell = own === null || own === undefined || reading === null ? own : reading.read(own);
      const isMissing = cell === undefined || isHole(cell) || isMarkIn(variable, cell);
      const value = isMissing ? NaN : encoder.value(cell);
      const read = isMissing ? null : encoder.code(cell, value);
      const isMisfit = !isMissing && read === null;
      if (isMisfit) misfits.add(at * variables.length + index);
      // what is not a number is absent, where numbers may be
      const mayBeAbsent = isMisfit ? variable.kind === 'ordered' : cell !== undefined;
      const code = read ?? (missing === 'value' && mayBeAbsent ? holeCode(variable) : null);
      if (code === null) {
        incomplete.add(at);
        return isMisfit ? own : undefined;
      }
      const [from, to] = [model.offsets[index]!, model.offsets[index + 1]!];
      writeCode(matrix, at, from, to, code);
      writeCode(known, at, from, to, 2 ** (to - from) - 1);
      logDensity[at * variables.length + index] = read === null ? 0 : logDensityIn(variable, code, value);
      if (read !== null && values.has(index)) values.get(index)![at] = value;
      if (code === otherCode(variable) || (read !== null && isNewNumber(variable, code, value))) unseen++;
      return own;
    }),
  );
  addEqualNats(model.table, matrix, values, logDensity);
  return { matrix, known, cells, misfits, incomplete: [...incomplete], logDensity, values, unseen, readings };
}

/**
 * Lists of 0 and 1, of which there may be a million: nothing but a bit is read of a cell.
 *
 * @throws QuestionError `invalid-request` for a value, `over-limit` for a width
 */
function encodeLists(model: TabularModel, rows: readonly (readonly Cell[])[]): EncodedRequest {
  const { dimensions } = model;
  const [matrix, known] = [model.emptyRows(rows.length), model.emptyRows(rows.length)];
  const incomplete: number[] = [];
  const cells = rows.map((row, at) => {
    const wrong = row.findIndex((value) => value !== 0 && value !== 1 && value !== null);
    if (wrong >= 0) throw noBit(row[wrong]!, `rows.${at}.${wrong}`);
    if (row.length !== dimensions) throw otherWidth(row.length, dimensions, at);
    let isWhole = true;
    for (let index = 0; index < dimensions; index++) {
      const value = row[index]!;
      if (value === null) isWhole = false;
      else known.set(at, index, 1);
      if (value === 1) matrix.set(at, index, 1);
    }
    if (isWhole) return row;
    incomplete.push(at);
    return row.map((value): Cell | undefined => value ?? undefined);
  });
  return {
    matrix,
    known,
    cells,
    misfits: new Set(),
    incomplete,
    logDensity: new Float64Array(rows.length * dimensions),
    values: new Map(),
    readings: [],
    unseen: 0,
  };
}

function noBit(value: Cell, where: string): QuestionError {
  return new QuestionError('invalid-request', {
    got: String(value).slice(0, 40),
    expected: '0 or 1, or null where unknown',
    where: `request, "${where}"`,
    remedy: 'Give rows of 0 and 1, one value for each column.',
  });
}

function otherWidth(values: number, dimensions: number, at: number): QuestionError {
  return new QuestionError('over-limit', {
    got: `${values} values`,
    expected: `${dimensions}, one for each column of the model`,
    where: `row ${at}`,
    remedy: 'Give all columns, in the order of the model.',
  });
}

/**
 * How cells of a request are read that are written otherwise than those that trained.
 *
 * @throws DatasetError `value` where most cells of a column are not read, and where day and month may be each other
 */
function readingsOf(
  { table }: TabularModel,
  rows: readonly (readonly (Cell | undefined)[])[],
  types: RowsRequest['types'],
): EncodedRequest['readings'] {
  const columns = table.variables.map((_, index) => rows.map((row) => row[index]));
  const placeOf = (index: number, cell: RawCell): string =>
    `rows.${columns[index]!.indexOf(cell)}.${table.variables[index]!.name}`;
  const readings = readRowsAsTrained(table, columns, { name: 'rows', wordFor, placeOf }, { types });
  readings.forEach((reading, index) => {
    if (reading?.isEither !== true) return;
    throw new DatasetError('value', {
      got: reading.how!,
      expected: 'dates that can be read in one way',
      where: `rows, column ${JSON.stringify(table.variables[index]!.name)}`,
      remedy: 'Write them as 2024-11-30, or as the training rows do.',
    });
  });
  return readings;
}

/** Options are fields of the request. */
export const wordFor: OptionWord<TableOptionName> = (option) => (option === 'types' ? '`types`' : null);

export function cellsOf(
  { table }: TabularModel,
  row: Row,
  names: readonly string[] | undefined,
  at: number,
): (name: string, index: number) => Cell | undefined {
  const given = Array.isArray(row) ? names : Object.keys(row);
  const stranger = given?.find((name) => !table.columns.includes(name));
  if (stranger !== undefined)
    throw new DatasetError('column', {
      got: `the column ${JSON.stringify(stranger.slice(0, 80))}`,
      expected: 'a column of the training rows',
      where: Array.isArray(row) ? 'names' : `rows.${at}`,
      remedy: correctColumn(stranger, table.columns),
    });
  if (!Array.isArray(row)) return (name) => (Object.hasOwn(row, name) ? row[name] : undefined);
  const width = names?.length ?? table.variables.length;
  if (row.length !== width)
    throw new DatasetError('ragged', {
      got: `${row.length} values`,
      expected: `${width}, one for each of ${names === undefined ? 'the variables' : '`names`'}`,
      where: `rows.${at}`,
      remedy: 'Give all columns, or rows as objects.',
    });
  return (name, index) => {
    const place = names === undefined ? index : names.indexOf(name);
    return place === -1 ? undefined : row[place];
  };
}

/** A text of the table as JSON has it: numbers and truth values as such, null for an absent value. */
export function cellOf(variable: Variable, text: string | null): Cell {
  if (text === null) return null;
  if (variable.kind === 'ordered') {
    const { format } = variable;
    if (format.type === 'number') return numberOf(text, format);
    return isOfWholeNumbers(format) ? Number(text) : text;
  }
  const { labels } = variable;
  if (!labels.includes(text)) return text;
  if (labels.every((label) => label === 'True' || label === 'False')) return text === 'True';
  return labels.every((label) => String(Number(label)) === label.replace(/\.0$/, '')) ? Number(text) : text;
}

/** The numbers that cells are; NaN where one is none. */
export function numbersIn({ table }: TabularModel, cells: EncodedRequest['cells']) {
  return (row: number, index: number): number => {
    const [variable, cell] = [table.variables[index]!, cells[row]![index]];
    return variable.kind === 'ordered' && !isHole(cell) ? numberOf(cell, variable.format) : NaN;
  };
}
