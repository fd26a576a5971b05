import type { Variable } from '@orchard/contracts';
import {
  addEqualNats,
  type BitMatrix,
  DatasetError,
  didYouMean,
  Encoder,
  expectedCell,
  holeCode,
  isHole,
  isMarkIn,
  isNewNumber,
  isOfWholeNumbers,
  logDensityIn,
  otherCode,
  unknownValues,
  writeCode,
  type KnownValues,
} from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import type { Cell, TableRow } from './table-documents.js';

/** Rows of a request as codes. */
export interface EncodedRequest {
  readonly matrix: BitMatrix;
  /** Of each bit, 1 where it is known. */
  readonly known: BitMatrix;
  /** Cells as they came: element `[row][variable]`; undefined where unknown. */
  readonly cells: readonly (readonly (Cell | undefined)[])[];
  /** What each value adds to the log-probability of its code, nats: element `row * V + variable`. */
  readonly logDensity: Float64Array;
  /** Of columns that are often equal. */
  readonly values: KnownValues;
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
  rows: readonly TableRow[],
  names: readonly string[] | undefined,
  missing: 'value' | 'unknown',
): EncodedRequest {
  const { variables } = model.table;
  const encoders = variables.map((variable) => new Encoder(variable));
  const matrix = model.emptyRows(rows.length);
  const known = model.emptyRows(rows.length);
  const logDensity = new Float64Array(rows.length * variables.length);
  const values = unknownValues(model.table, rows.length);
  let unseen = 0;
  const cells = rows.map((row, at) => {
    const own = cellsOf(model, row, names, at);
    return encoders.map((encoder, index): Cell | undefined => {
      const { variable } = encoder;
      const cell = own(variable.name, index);
      if (cell === undefined) return undefined;
      const [code, value] =
        isHole(cell) || isMarkIn(variable, cell)
          ? [missing === 'value' ? holeCode(variable) : null, 0]
          : codeOf(encoder, cell, at);
      if (code === null) return undefined;
      const [from, to] = [model.offsets[index]!, model.offsets[index + 1]!];
      writeCode(matrix, at, from, to, code);
      writeCode(known, at, from, to, 2 ** (to - from) - 1);
      logDensity[at * variables.length + index] = logDensityIn(variable, code, value);
      if (!isHole(cell) && values.has(index)) values.get(index)![at] = value;
      if (code === otherCode(variable) || isNewNumber(variable, code, value)) unseen++;
      return cell;
    });
  });
  addEqualNats(model.table, matrix, values, logDensity);
  return { matrix, known, cells, logDensity, values, unseen };
}

function cellsOf(
  { table }: TabularModel,
  row: TableRow,
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
      remedy: didYouMean(stranger, table.columns) ?? `Columns: ${table.columns.slice(0, 8).join(', ')}.`,
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

/** A code and the number that it was made of. @throws DatasetError `value` */
function codeOf(encoder: Encoder, cell: NonNullable<Cell>, row: number): [number, number] {
  const { variable } = encoder;
  const value = encoder.value(cell);
  const code = encoder.code(cell, value);
  if (code !== null) return [code, value];
  throw new DatasetError('value', {
    got: JSON.stringify(String(cell).slice(0, 80)),
    expected: expectedOf(variable),
    where: `rows.${row}.${variable.name}`,
    remedy: 'Write it as the training rows do.',
  });
}

function expectedOf(variable: Variable): string {
  if (variable.kind !== 'ordered')
    return variable.labels
      .slice(0, 8)
      .map((label) => JSON.stringify(label))
      .join(' or ');
  return expectedCell(variable.format);
}

/** A text of the table as JSON has it: numbers and truth values as such, null for an absent value. */
export function cellOf(variable: Variable, text: string | null): Cell {
  if (text === null) return null;
  if (variable.kind === 'ordered') {
    const { format } = variable;
    return format.type === 'number' || isOfWholeNumbers(format) ? Number(text) : text;
  }
  const { labels } = variable;
  if (!labels.includes(text)) return text;
  if (labels.every((label) => label === 'True' || label === 'False')) return text === 'True';
  return labels.every((label) => String(Number(label)) === label.replace(/\.0$/, '')) ? Number(text) : text;
}
