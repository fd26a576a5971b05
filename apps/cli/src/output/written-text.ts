import type { WrittenText } from '@orchard/dataset';
import type { ColumnBatches, TextColumn } from './table-file.js';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Rows as the text of a file was written, a piece for each batch: its delimiter, line ends, names and what stands above
 * them. Cells and names come as they are to stand, in their quotes.
 *
 * @param own how many columns the file has: where there is another before them, R's row names get an empty name
 */
export async function* encodeWritten(
  written: WrittenText,
  batches: ColumnBatches,
  own: number,
): AsyncGenerator<Uint8Array, void> {
  const { delimiter, lineEnd, above, hasMark } = written;
  const encoder = new TextEncoder();
  let before = (hasMark ? BYTE_ORDER_MARK : '') + above;
  let isFirst = true;
  for await (const columns of batches) {
    if (isFirst) before += headOf(columns);
    isFirst = false;
    yield encoder.encode(before + linesOf(columns));
    before = '';
  }

  function headOf(columns: readonly TextColumn[]): string {
    if (written.names === null) return '';
    const names = columns.map(({ name }) => name);
    return (written.isShort && columns.length === own ? names.slice(1) : names).join(delimiter) + lineEnd;
  }

  function linesOf(columns: readonly TextColumn[]): string {
    const rows = columns[0]?.texts.length ?? 0;
    let lines = '';
    for (let row = 0; row < rows; row++)
      lines += columns.map(({ texts }) => texts[row] ?? '').join(delimiter) + lineEnd;
    return lines;
  }
}
