import {
  DatasetError,
  placeOfColumn,
  readAsTrained,
  type OptionWord,
  type RawCell,
  type RawTable,
  type SecondFile,
  type TableOptionName,
} from '@orchard/dataset';
import type { DensityModel, TabularModel } from '@orchard/model';
import { bitsOf, MISSING_BIT } from './answer/rows.js';
import { QuestionError } from './errors.js';
import type { Cell, Row, ScoreRequest } from './row-documents.js';

/** Rows of a request, read as those that trained a model. */
export interface AskedRows extends SecondFile {
  /** Cells as they came, element `[row][variable]`; undefined where a row has no such column. */
  readonly given: readonly (readonly (Cell | undefined)[])[];
}

/**
 * Reads the rows of a request as those that trained a model. Of lists of 0 and 1, which may be wide, nothing but bits
 * is read.
 *
 * @throws DatasetError `column` for columns that the model has not, `value` where most cells of a column are not read;
 *   QuestionError for lists of another width, and for values in them that are no bits
 */
export async function readAsked(
  model: TabularModel,
  { rows, names, types }: Pick<ScoreRequest, 'rows' | 'names' | 'types'>,
): Promise<AskedRows> {
  const { ofBits, table } = model;
  if (ofBits !== undefined && names === undefined && rows.every((row) => Array.isArray(row)))
    return { table: tableOfLists(ofBits, rows), readings: [], remarks: [], given: rows };
  const given = rows.map((row, at) => {
    const cellIn = cellsOf(model, row, names, at);
    return table.variables.map(({ name }, index) => cellIn(name, index));
  });
  return { ...(await readAsTrained(tableOf(model, given), table, { types })), given };
}

function tableOf({ table: { variables } }: TabularModel, given: AskedRows['given']): RawTable {
  const columns = variables.map((_, index) => given.map((row): RawCell => row[index] ?? null));
  return {
    name: 'rows',
    format: 'jsonl',
    columns: variables.map(({ name }) => name),
    hasHeader: true,
    notes: [],
    wordFor,
    placeOf: (index, cell) => `rows.${columns[index]!.indexOf(cell)}.${variables[index]!.name}`,
    batches: async function* () {
      yield await Promise.resolve({ rows: given.length, columns });
    },
    close: () => Promise.resolve(),
  };
}

/** @throws QuestionError `invalid-request` for a value, `over-limit` for a width */
function tableOfLists(model: DensityModel, rows: readonly (readonly Cell[])[]): RawTable {
  const { dimensions } = model;
  const bits = new Uint8Array(rows.length * dimensions);
  rows.forEach((row, at) => {
    const wrong = row.findIndex((value) => value !== 0 && value !== 1 && value !== null);
    if (wrong >= 0)
      throw new QuestionError('invalid-request', {
        got: String(row[wrong]!).slice(0, 40),
        expected: '0 or 1, or null where unknown',
        where: `request, "rows.${at}.${wrong}"`,
        remedy: 'Give rows of 0 and 1, one value for each column.',
      });
    if (row.length !== dimensions)
      throw new QuestionError('over-limit', {
        got: `${row.length} values`,
        expected: `${dimensions}, one for each column of the model`,
        where: `row ${at}`,
        remedy: 'Give all columns, in the order of the model.',
      });
    bits.set(
      row.map((value) => (value === null ? MISSING_BIT : Number(value))),
      at * dimensions,
    );
  });
  return bitsOf(rows.length, bits, model);
}

/** Options are fields of the request. */
const wordFor: OptionWord<TableOptionName> = (option) => (option === 'types' ? '`types`' : null);

function cellsOf(
  { table }: TabularModel,
  row: Row,
  names: readonly string[] | undefined,
  at: number,
): (name: string, index: number) => Cell | undefined {
  const given = Array.isArray(row) ? names : Object.keys(row);
  const where = Array.isArray(row) ? 'names' : `rows.${at}`;
  given?.forEach((name) => placeOfColumn(name, table.columns, { where, expected: 'a column of the training rows' }));
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
