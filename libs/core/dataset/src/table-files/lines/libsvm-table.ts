import { DatasetError, quote } from '../../errors.js';
import { isNumber } from '../../bit-files/number-text.js';
import { advise, sentences } from '../../reading/option-words.js';
import { checkColumns } from '../arrays/wide.js';
import { givenNames, numberedNames } from '../column-names.js';
import { batchRows, type RawBatch, type RawTable } from '../raw-table.js';
import type { RowFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { refuseNoRow, textLines } from './text-lines.js';

/**
 * Libsvm and svmlight as a table: `label index:value ...`, what is left out being 0. How many columns there are is told
 * by the highest index, which takes a pass of its own. Labels, `qid:` and remarks are not read, and it is said.
 */
export async function openLibsvm(file: RowFile, context: TableContext): Promise<RawTable> {
  const base = context.options.zeroBased ? 0 : 1;
  let width = 0;
  let labelled = false;
  let rows = 0;
  for await (const { first, lines } of textLines(file, context))
    lines.forEach((line, i) => {
      const row = parseRow(line, base, context, first + i);
      if (row === null) return;
      rows++;
      labelled ||= row.labelled;
      width = Math.max(width, (row.columns.at(-1) ?? -1) + 1);
    });
  if (rows === 0 || width === 0) refuseNoRow(context);
  checkColumns(width, context.name);
  const columns = givenNames(context, width);
  return {
    name: context.name,
    format: 'libsvm',
    columns: columns ?? numberedNames(width),
    hasHeader: false,
    notes: [
      `Indexes count from ${base}, and what a row leaves out is 0.`,
      ...(labelled ? ['The labels at the beginning of the rows are not read.'] : []),
      ...(columns ? [] : ['The file has no names: its columns are called by number.']),
    ],
    batches: () => readRows(file, context, base, width),
    close: () => file.close(),
  };
}

async function* readRows(
  file: RowFile,
  context: TableContext,
  base: 0 | 1,
  width: number,
): AsyncGenerator<RawBatch, void> {
  const most = batchRows(width);
  const newColumns = (): Float64Array[] => Array.from({ length: width }, () => new Float64Array(most));
  let columns = newColumns();
  let rows = 0;
  for await (const { first, lines } of textLines(file, context))
    for (const [i, line] of lines.entries()) {
      const row = parseRow(line, base, context, first + i);
      if (row === null) continue;
      row.columns.forEach((column, at) => (columns[column]![rows] = row.values[at]!));
      if (++rows < most) continue;
      yield { rows, columns };
      columns = newColumns();
      rows = 0;
    }
  if (rows > 0) yield { rows, columns: columns.map((column) => column.subarray(0, rows)) };
}

interface Row {
  readonly labelled: boolean;
  /** From 0, ascending. */
  readonly columns: readonly number[];
  readonly values: readonly number[];
}

/** @returns null for a line of nothing, or of a remark alone */
function parseRow(line: string, base: 0 | 1, context: TableContext, number: number): Row | null {
  const refuse = (got: string, expected: string, remedy: string): never => {
    throw new DatasetError('value', { got: quote(got), expected, where: `${context.name}, line ${number}`, remedy });
  };
  const tokens = line
    .replace(/#.*/, '')
    .split(/[ \t]+/)
    .filter((token) => token !== '');
  if (tokens.length === 0) return null;
  const labelled = !tokens[0]!.includes(':');
  if (labelled && !isNumber(tokens[0]!))
    refuse(tokens[0]!, 'a number as label', 'A row is: label index:value index:value ..., as 1 3:1 17:0.5.');
  const columns: number[] = [];
  const values: number[] = [];
  for (const token of labelled ? tokens.slice(1) : tokens) {
    const [, index = '', text = ''] = /^(\d+|qid):(.*)$/.exec(token) ?? [];
    if (index === 'qid') continue;
    if (index === '') refuse(token, 'index:value', 'A row is: label index:value index:value ..., as 1 3:1 17:0.5.');
    const column = Number(index) - base;
    if (column < 0)
      refuse(
        token,
        'an index of at least 1',
        sentences(
          'Count the indexes from 1',
          advise(context.wordFor, 'If they count from 0 in this file, say so', 'zeroBased'),
        ),
      );
    if (column <= (columns.at(-1) ?? -1))
      refuse(token, `an index above ${columns.at(-1)! + base}`, 'Put the indexes of a row in ascending order.');
    if (!isNumber(text) && !context.missing.has(text)) refuse(token, 'a number after the colon', 'Correct the value.');
    columns.push(column);
    values.push(isNumber(text) ? Number(text) : NaN);
  }
  return { labelled, columns, values };
}
