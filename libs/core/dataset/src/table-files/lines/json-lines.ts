import { DatasetError, quote } from '../../errors.js';
import { checkColumns } from '../arrays/wide.js';
import { distinctNames, givenNames } from '../column-names.js';
import { batchRows, type RawBatch, type RawCell, type RawTable } from '../raw-table.js';
import type { TextFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { listNames } from '../../rows/columns.js';
import { cutObjects, type ObjectText } from './json-objects.js';
import { textHead } from './text-encoding.js';
import { refuseNoRow, textLines } from './text-lines.js';

/**
 * Objects of JSON: one a line, or in a list, or one after another over several lines. The columns are the keys of all
 * of them, in the order in which they first come, which takes a pass of its own; a row without a key has a missing
 * value there. A key that has a list or an object somewhere is not a column to learn.
 */
export async function openJsonLines(file: TextFile, context: TableContext): Promise<RawTable> {
  const keys = new Map<string, number>();
  const unreadable = new Map<number, string>();
  const isByLines = await hasObjectALine(file, context);
  let rows = 0;
  let listOfRows: string | null = null;
  for await (const texts of objectTexts(file, context, isByLines))
    for (const { text, line } of texts) {
      for (const [key, value] of Object.entries(parse(text, context, line))) {
        if (!keys.has(key)) keys.set(key, keys.size);
        if (rows === 0 && areObjects(value)) listOfRows = key;
        if (typeof value === 'object' && value !== null) unreadable.set(keys.get(key)!, 'lists or objects');
      }
      rows++;
      checkColumns(keys.size, context.name);
    }
  if (keys.size === 0) refuseNoRow(context);
  if (rows === 1 && listOfRows !== null)
    throw new DatasetError('column', {
      got: `one object with a list of objects in it: ${quote(listOfRows)}`,
      expected: 'an object for each row',
      where: context.name,
      remedy: `Take the list out of it: jq '.[${quote(listOfRows)}]' FILE > table.json.`,
    });
  if (rows === 1 && unreadable.size === keys.size)
    throw new DatasetError('column', {
      got: `one object of lists or objects: ${listNames([...keys.keys()])}`,
      expected: 'an object for each row',
      where: context.name,
      remedy:
        'Write it with df.to_json("table.json", orient="records"); or take the list in it: jq ".KEY" FILE > table.json.',
    });
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
      return readObjects(objectTexts(file, context, isByLines), context, read, keys.size);
    },
    close: () => file.close(),
  };
}

/** Whether the first line is an object by itself. */
async function hasObjectALine(file: TextFile, context: TableContext): Promise<boolean> {
  const head = textHead(await file.head(HEAD_BYTES), context.syntax.encoding);
  const lines = new TextDecoder().decode(head).split(/\r\n|\n|\r/);
  const { skip, comment } = context.syntax;
  const remark = comment?.toString('utf8');
  const isObject = (line: string): boolean => line.trim() !== '' && !(remark !== undefined && line.startsWith(remark));
  const first = lines.slice(skip).find(isObject) ?? '';
  // a line that is longer is one of an object, or a list
  return objectOf(first) !== null || (lines.length === 1 && first.trimStart().startsWith('{'));
}

/** Enough to see how objects are written. */
const HEAD_BYTES = 1 << 16;

async function* objectTexts(
  file: TextFile,
  context: TableContext,
  isByLines: boolean,
): AsyncGenerator<readonly ObjectText[], void> {
  if (!isByLines) {
    yield* cutObjects(file.bytes(), context);
    return;
  }
  for await (const { first, lines } of textLines(file, context)) {
    const texts: ObjectText[] = [];
    lines.forEach((text, i) => {
      if (text.trim() !== '') texts.push({ text, line: first + i });
    });
    yield texts;
  }
}

/** Whether a value is a list of rows, as services answer with beside a count and a cursor. */
function areObjects(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
  );
}

async function* readObjects(
  objects: AsyncIterable<readonly ObjectText[]>,
  context: TableContext,
  read: readonly (readonly [key: string, column: number])[],
  width: number,
): AsyncGenerator<RawBatch, void> {
  const most = batchRows(width);
  const newColumns = (): RawCell[][] => Array.from({ length: width }, () => []);
  let columns = newColumns();
  let rows = 0;
  for await (const texts of objects)
    for (const { text, line } of texts) {
      const object = parse(text, context, line);
      for (const [key, column] of read) columns[column]!.push(cell(object, key, text));
      if (++rows < most) continue;
      yield { rows, columns };
      columns = newColumns();
      rows = 0;
    }
  if (rows > 0) yield { rows, columns };
}

type JsonObject = Readonly<Record<string, unknown>>;

function parse(text: string, context: TableContext, line: number): JsonObject {
  const object = objectOf(text);
  if (object !== null) return object;
  throw new DatasetError('format', {
    got: quote(text),
    expected: 'an object for each row, as {"age": 31, "city": "Kiel"}: one per line, or in a list',
    where: `${context.name}, line ${line}`,
    remedy: 'Write JSON lines with df.to_json("table.jsonl", orient="records", lines=True).',
  });
}

/** The object that a text is; null where it is none. */
function objectOf(text: string): JsonObject | null {
  const value = valueOf(text) ?? valueOf(withoutTokens(text));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What Python and others write for numbers that JSON does not have: missing, and beyond all others. */
const TOKENS: Readonly<Record<string, string>> = { NaN: 'null', Infinity: '1e999', '-Infinity': '-1e999' };

function withoutTokens(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) => TOKENS[part] ?? part);
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
