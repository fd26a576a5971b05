import { DatasetError, quote } from '../../errors.js';
import { checkColumns } from '../arrays/wide.js';
import { distinctNames, givenNames } from '../column-names.js';
import { batchRows, type RawBatch, type RawCell, type RawTable } from '../raw-table.js';
import type { TextFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { refuseNoRow, textLines } from './text-lines.js';

/**
 * JSON lines: one object per line. The columns are the keys of all of them, in the order in which they first come,
 * which takes a pass of its own; a row without a key has a missing value there. A key that has a list or an object
 * somewhere is not a column to learn.
 */
export async function openJsonLines(file: TextFile, context: TableContext): Promise<RawTable> {
  const keys = new Map<string, number>();
  const unreadable = new Map<number, string>();
  for await (const { first, lines } of textLines(file, context))
    lines.forEach((line, i) => {
      for (const [key, value] of Object.entries(parse(line, context, first + i) ?? {})) {
        if (!keys.has(key)) keys.set(key, keys.size);
        if (typeof value === 'object' && value !== null) unreadable.set(keys.get(key)!, 'lists or objects');
      }
      checkColumns(keys.size, context.name);
    });
  if (keys.size === 0) refuseNoRow(context);
  const notes: string[] = [];
  return {
    name: context.name,
    format: 'jsonl',
    columns: givenNames(context, keys.size) ?? distinctNames([...keys.keys()], notes),
    hasHeader: true,
    unreadable,
    notes,
    batches: (needed) => {
      const read = [...keys].filter(([, column]) => !unreadable.has(column) && needed?.has(column) !== false);
      return readObjects(file, context, read, keys.size);
    },
    close: () => file.close(),
  };
}

async function* readObjects(
  file: TextFile,
  context: TableContext,
  read: readonly (readonly [key: string, column: number])[],
  width: number,
): AsyncGenerator<RawBatch, void> {
  const most = batchRows(width);
  const newColumns = (): RawCell[][] => Array.from({ length: width }, () => []);
  let columns = newColumns();
  let rows = 0;
  for await (const { first, lines } of textLines(file, context))
    for (const [i, line] of lines.entries()) {
      const object = parse(line, context, first + i);
      if (object === null) continue;
      for (const [key, column] of read) columns[column]!.push(cell(object, key, line));
      if (++rows < most) continue;
      yield { rows, columns };
      columns = newColumns();
      rows = 0;
    }
  if (rows > 0) yield { rows, columns };
}

/** The object of a line, null where there is none. */
function parse(line: string, context: TableContext, number: number): Readonly<Record<string, unknown>> | null {
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new DatasetError('format', {
    got: quote(line),
    expected: 'one object per line, as {"age": 31, "city": "Kiel"}',
    where: `${context.name}, line ${number}`,
    remedy:
      'Write JSON lines with df.to_json("table.jsonl", orient="records", lines=True), or from a list of objects with: jq -c ".[]".',
  });
}

function cell(object: Readonly<Record<string, unknown>>, key: string, line: string): RawCell {
  const value = Object.hasOwn(object, key) ? (object[key] as RawCell) : null;
  const isLong = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLong ? digits(line, key, value) : value;
}

/** Beyond 2^53 the digits that the line has, where it has them. */
function digits(line: string, key: string, value: number): RawCell {
  const name = JSON.stringify(key).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`${name}\\s*:\\s*(-?\\d+)\\s*[,}]`).exec(line)?.[1] ?? value;
}
