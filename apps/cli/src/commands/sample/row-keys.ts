import type { Table, Variable } from '@orchard/contracts';
import {
  BitMatrix,
  Encoder,
  isHole,
  labelOf,
  numberOf,
  otherCode,
  placeOfColumn,
  readAsTrained,
  type Texts,
} from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { loadRows } from '../../rows/load-network.js';
import type { Terminal } from '../../output/terminal.js';
import { useTable } from '../../rows/load-table-rows.js';

const BETWEEN_VALUES = '\u001f';

/** Keys of rows, equal for equal rows and for no others. */
export interface RowKeys {
  readonly ofFile: ReadonlySet<string>;
  /** That of a row in the words of the model. */
  keyOf(texts: Texts[number]): string;
}

/**
 * The keys of all rows of a file of a model's columns: those of 0 and 1 are packed.
 *
 * @throws UsageError where it lacks one
 */
export async function rowKeys(file: string, { table, ofBits }: TabularModel, terminal: Terminal): Promise<RowKeys> {
  if (ofBits === undefined)
    return { ofFile: await keysOfFile(file, table), keyOf: (texts) => keyOfTexts(table, texts) };
  const rows = await loadRows(file, ofBits, {}, terminal);
  const own = BitMatrix.create(1, rows.dimensions);
  return {
    ofFile: new Set(Array.from({ length: rows.rows }, (_, row) => keyOfBits(rows, row))),
    keyOf: (texts) => {
      texts.forEach((text, index) => {
        own.set(0, index, text === '1' ? 1 : 0);
      });
      return keyOfBits(own, 0);
    },
  };
}

function keyOfBits({ bytes, stride }: BitMatrix, row: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + row * stride, stride).toString('latin1');
}

/** The key of a row in words: numbers and moments by their value, however they are written. */
function keyOfTexts({ variables }: Table, texts: Texts[number]): string {
  return variables
    .map((variable, index) => {
      const text = texts[index]!;
      return text === null ? '' : variable.kind === 'ordered' ? String(numberOf(text, variable.format)) : text;
    })
    .join(BETWEEN_VALUES);
}

async function keysOfFile(file: string, table: Table): Promise<Set<string>> {
  return useTable(file, {}, async (opened) => {
    for (const { name } of table.variables) placeOfColumn(name, opened.columns, OF_TRAINING);
    const { table: raw } = await readAsTrained(opened, table);
    const places = table.variables.map(({ name }) => raw.columns.indexOf(name));
    const readers = table.variables.map(readerOf);
    const keys = new Set<string>();
    for await (const { rows, columns } of raw.batches(new Set(places)))
      for (let row = 0; row < rows; row++)
        keys.add(readers.map((read, index) => read(columns[places[index]!]!.at(row) ?? null)).join(BETWEEN_VALUES));
    return keys;
  });
}

function readerOf(variable: Variable): (cell: string | number | boolean | null) => string {
  const encoder = new Encoder(variable);
  return (cell) => {
    if (isHole(cell)) return '';
    if (variable.kind === 'ordered') return String(encoder.value(cell));
    const code = encoder.code(cell, NaN);
    return code === null || code === otherCode(variable) ? labelOf(cell) : variable.labels[code]!;
  };
}

const OF_TRAINING = {
  expected: 'the columns of the model',
  where: '--reject-copies',
  more: 'Give the file that the model was trained on.',
} as const;
