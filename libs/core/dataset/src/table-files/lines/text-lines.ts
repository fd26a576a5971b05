import { DatasetError } from '../../errors.js';
import type { TextFile } from '../../reading/row-file.js';
import type { TableContext } from '../table-options.js';
import { checkUtf8, refuseLong, textPieces } from './text-pieces.js';

/** Some consecutive lines of a text, without their ends; the first has this number. */
export interface TextLines {
  readonly first: number;
  readonly lines: readonly string[];
}

/** The lines of a file that break nowhere but between rows. */
export async function* textLines(file: TextFile, context: TableContext): AsyncGenerator<TextLines, void> {
  const { skip, comment } = context.syntax;
  const remark = comment?.toString('utf8');
  let first = skip + 1;
  for await (const piece of textPieces(file.bytes(), context, () => first)) {
    checkUtf8(piece, context, first);
    const lines = piece.toString('utf8').split(/\r\n|\n|\r/);
    // behind the last line end is nothing
    if (lines.at(-1) === '') lines.pop();
    const long = lines.findIndex((line) => line.length > context.maxLineBytes);
    if (long >= 0) refuseLong(context, first + long);
    // a remark is a line without anything
    yield { first, lines: remark === undefined ? lines : lines.map((line) => (line.startsWith(remark) ? '' : line)) };
    first += lines.length;
  }
}

export function refuseNoRow(context: TableContext): never {
  throw new DatasetError('empty', {
    got: 'no row',
    expected: 'at least one row',
    where: context.name,
    remedy: 'Check that the right file was given.',
  });
}
