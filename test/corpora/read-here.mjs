// Reads the tables whose paths come on standard input, a line of JSON each, and answers what is in each.
import { createInterface } from 'node:readline';
import { DatasetError, openTable } from '@orchard/dataset';

/** Of a file, what is compared. */
const MOST_ROWS = 500;
const MOST_COLUMNS = 200;

for await (const line of createInterface({ input: process.stdin })) {
  const { file } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await contentOf(file))}\n`);
}

async function contentOf(file) {
  try {
    const table = await openTable(file);
    try {
      return await cellsOf(table);
    } finally {
      await table.close();
    }
  } catch (error) {
    if (error instanceof DatasetError) return { refused: error.message };
    throw error;
  }
}

async function cellsOf(table) {
  const names = table.columns.slice(0, MOST_COLUMNS);
  const cells = names.map(() => []);
  let rows = 0;
  for await (const batch of table.batches()) {
    const some = Math.min(batch.rows, MOST_ROWS - rows);
    names.forEach((_, column) => {
      if (table.unreadable?.has(column)) return;
      for (let row = 0; row < some; row++) cells[column].push(plain(batch.columns[column].at(row)));
    });
    rows += batch.rows;
  }
  return { rows, width: table.columns.length, names, unreadable: [...(table.unreadable?.keys() ?? [])], cells };
}

/** JSON has no infinity. */
function plain(cell) {
  if (typeof cell !== 'number' || Number.isFinite(cell)) return cell;
  return Number.isNaN(cell) ? null : String(cell);
}
