import type { TableContext } from '../table-options.js';
import { textHead } from '../lines/text-encoding.js';

/** A first line that says to spreadsheets what stands between the cells: `sep=;`. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?\r?\n/i;

/** How a text is read that begins with such a line: from the next one on, and by what it says. */
export function obeySeparatorLine(context: TableContext, head: Uint8Array): TableContext {
  const { options, syntax } = context;
  if (syntax.skip > 0 || (options.format !== undefined && options.format !== 'csv')) return context;
  const [, separator] = SEPARATOR_LINE.exec(new TextDecoder().decode(textHead(head, syntax.encoding))) ?? [];
  if (separator === undefined) return context;
  return {
    ...context,
    options: { ...options, format: 'csv', delimiter: options.delimiter ?? separator },
    syntax: { ...syntax, skip: 1 },
  };
}
