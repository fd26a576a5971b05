import type { Table, Variable } from '@orchard/contracts';
import { Encoder, isHole, labelOf, numberOf, otherCode, readAsTrained, type RawTable } from '@orchard/dataset';
import { UsageError } from '../errors.js';
import { useTable } from './load-table-rows.js';

const BETWEEN_VALUES = '\u001f';

/** The key of a row in words: numbers and moments by their value, however they are written. */
export function keyOfTexts({ variables }: Table, textOf: (index: number) => string | null): string {
  return variables
    .map((variable, index) => {
      const text = textOf(index);
      return text === null ? '' : variable.kind === 'ordered' ? String(numberOf(text, variable.format)) : text;
    })
    .join(BETWEEN_VALUES);
}

/** The keys of all rows of a file, by the columns of a table. @throws UsageError where it lacks one */
export async function keysOfFile(file: string, table: Table): Promise<Set<string>> {
  return useTable(file, {}, async (opened) => {
    for (const { name } of table.variables) requireColumn(name, opened);
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

function requireColumn(name: string, raw: RawTable): void {
  if (raw.columns.includes(name)) return;
  throw new UsageError({
    got: `no column ${JSON.stringify(name)} in ${raw.name}`,
    expected: 'the columns of the model',
    where: '--reject-copies',
    remedy: 'Give the file that the model was trained on.',
  });
}
