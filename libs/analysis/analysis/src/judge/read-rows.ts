import type { Table, Variable } from '@orchard/contracts';
import {
  Encoder,
  isHole,
  labelOf,
  markedTable,
  noSuchValue,
  otherCode,
  placeOfColumn,
  profileTable,
  readFor,
  tableOf,
  type RawCell,
  type RawTable,
  type TableOptions,
} from '@orchard/dataset';
import { drawSome, Purpose, RandomStream } from '@orchard/numerics';
import { selectRows, type Column, type Rows } from '@orchard/resemblance';

/** Of the training file, which says what each column is. */
export interface JudgedColumns {
  readonly table: Table;
  /** Numbers of labels that training rows do not have, by column; all files share them. */
  readonly beyond: readonly Map<string, number>[];
}

/** Looks through the training file. @throws DatasetError where nothing in it can be compared */
export async function judgedColumns(file: RawTable, options: TableOptions): Promise<JudgedColumns> {
  const train = markedTable(file);
  const table = await tableOf(train, await profileTable(train, options), null, options);
  return { table, beyond: table.variables.map(() => new Map<string, number>()) };
}

/** Rows that were read, and which of the file's they are. */
export interface ReadRows extends Rows {
  /** Numbers in the file, from 0. */
  readonly numbers: Uint32Array;
  /** Rows of the file. */
  readonly of: number;
}

/**
 * The rows of a file by column, at most so many of them, drawn at random.
 *
 * @throws DatasetError `column` where the file lacks a column of the training file; `value` where it is strict and a
 *   cell does not fit
 */
export async function readRows(
  file: RawTable,
  { table, beyond }: JudgedColumns,
  { most, seed }: { readonly most: number; readonly seed: number },
): Promise<ReadRows> {
  const raw = readFor(table, file);
  const places = table.variables.map(({ name }) =>
    placeOfColumn(name, raw.columns, { where: raw.name, ...OF_TRAINING }),
  );
  const readers = table.variables.map((variable, index) => readerOf(variable, beyond[index]!, raw));
  const parts: number[][] = readers.map(() => []);
  let count = 0;
  for await (const { rows, columns } of raw.batches(new Set(places))) {
    readers.forEach((read, index) => {
      const cells = columns[places[index]!]!;
      for (let row = 0; row < rows; row++) parts[index]!.push(read(cells.at(row) ?? null, count + row));
    });
    count += rows;
  }
  const all: Rows = { count, columns: table.variables.map((variable, index) => columnOf(variable, parts[index]!)) };
  if (count <= most) return { ...all, numbers: Uint32Array.from({ length: count }, (_, row) => row), of: count };
  const numbers = someOf(count, most, seed);
  return { ...selectRows(all, numbers), numbers, of: count };
}

function columnOf(variable: Variable, values: readonly number[]): Column {
  return variable.kind === 'ordered'
    ? { name: variable.name, kind: 'number', values: Float64Array.from(values) }
    : { name: variable.name, kind: 'label', values: Int32Array.from(values) };
}

/**
 * What a cell of a column, in a row counted from 0, is: a number, NaN where there is none; or the number of its label,
 * -1 where there is none.
 */
function readerOf(
  variable: Variable,
  beyond: Map<string, number>,
  raw: RawTable,
): (cell: RawCell, row: number) => number {
  const encoder = new Encoder(variable);
  if (variable.kind === 'ordered')
    return (cell, row) => {
      if (isHole(cell)) return NaN;
      const value = encoder.value(cell);
      if (Number.isNaN(value) && raw.isStrict === true) throw noSuchValue(raw, variable, cell, row);
      return value;
    };
  return (cell) => {
    if (isHole(cell)) return -1;
    const code = encoder.code(cell, NaN);
    if (code !== null && code !== otherCode(variable)) return code;
    const label = labelOf(cell);
    const known = beyond.get(label) ?? variable.labels.length + beyond.size;
    beyond.set(label, known);
    return known;
  };
}

const OF_TRAINING = {
  expected: 'the columns of the training file',
  more: '--exclude leaves a column out of all files.',
} as const;

/** So many of the numbers from 0, each as likely as any other, ascending. */
export function someOf(count: number, most: number, seed: number): Uint32Array {
  const numbers = Uint32Array.from({ length: count }, (_, row) => row);
  if (count <= most) return numbers;
  return drawSome(numbers, most, new RandomStream(seed, Purpose.someRows)).sort();
}
