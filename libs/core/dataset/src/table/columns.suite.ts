import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import type { RawCell, RawTable } from '../table-files/raw-table.js';
import { profileTable, tableOf, type TableOptions } from './infer-table.js';

/** A table in memory, row by row; batches of a few rows, so that there are several. */
export function rawTable(columns: readonly string[], rows: readonly (readonly RawCell[])[], batchRows = 7): RawTable {
  return {
    name: 'x.csv',
    format: 'csv',
    columns,
    hasHeader: true,
    notes: [],
    async *batches() {
      for (let first = 0; first < rows.length; first += batchRows) {
        const batch = rows.slice(first, first + batchRows);
        yield { rows: batch.length, columns: columns.map((_, index) => batch.map((row) => row[index]!)) };
      }
    },
    close: () => Promise.resolve(),
  };
}

/** A column of its own, beside one of two labels. */
function rawColumn(cells: readonly RawCell[]): RawTable {
  return rawTable(
    ['x', 'side'],
    cells.map((cell, row) => [cell, row % 2 === 0 ? 'left' : 'right']),
  );
}

/** The table of all rows of a file. */
export async function tableOfAll(raw: RawTable, options: TableOptions = {}): Promise<Table> {
  return tableOf(raw, await profileTable(raw, options), null, options);
}

/** What a column becomes; a string for why it is left out. */
export async function variableOf(
  cells: readonly RawCell[],
  { strict: isStrict, ...options }: TableOptions & { readonly strict?: boolean } = {},
): Promise<Variable | string> {
  const table = await tableOfAll({ ...rawColumn(cells), isStrict }, options);
  return table.variables.find(({ name }) => name === 'x') ?? table.leftOut.find(({ name }) => name === 'x')!.why;
}

/** What a column of numbers or dates becomes. */
export async function orderedOf(cells: readonly RawCell[], options: TableOptions = {}): Promise<OrderedVariable> {
  const variable = await variableOf(cells, { types: { x: 'ordered' }, ...options });
  if (typeof variable === 'string' || variable.kind !== 'ordered') throw new Error(JSON.stringify(variable));
  return variable;
}
