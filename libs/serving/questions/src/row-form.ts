import { columnsIn, type Texts } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { cellOf } from './encode-rows.js';
import type { Cell, Row, SampleRequest } from './row-documents.js';

/** The names of the model's columns; null of rows of 0 and 1 without names. */
export function namesOf(model: TabularModel): string[] | null {
  const { names } = columnsIn(model.ofBits ?? model);
  return names && [...names];
}

/** Rows in the words of the table, cell by cell as JSON has them. */
export function cellsOfTexts({ table }: TabularModel, texts: Texts, rows: number): Cell[][] {
  return Array.from({ length: rows }, (_, row) =>
    table.variables.map((variable, index) => cellOf(variable, texts[index]![row]!)),
  );
}

/** Writes a row in the form that is asked for. */
export function formOf({ ofBits, table }: TabularModel, form: SampleRequest['form']): (cells: readonly Cell[]) => Row {
  const asked = form ?? (ofBits === undefined ? 'objects' : 'lists');
  if (asked === 'lists') return (cells) => [...cells];
  return (cells) => Object.fromEntries(table.variables.map(({ name }, index) => [name, cells[index]!]));
}
