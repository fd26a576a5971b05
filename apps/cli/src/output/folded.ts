import { table } from './figures.js';
import type { Terminal } from './terminal.js';

/** How wide lines for people may be: no limit where the output is not a terminal. */
export function widthFor(terminal: Terminal): number {
  return terminal.showsResults ? terminal.columns : Infinity;
}

/**
 * A line broken between words where it is longer than that; what follows stands two further in. A longer word stays
 * whole.
 */
export function folded(text: string, width: number): string {
  const indent = /^ */.exec(text)![0].length;
  const lines: string[] = [];
  let line = text;
  while (line.length > width) {
    const inner = indent + (lines.length > 0 ? 2 : 0);
    let at = line.lastIndexOf(' ', width);
    if (at <= inner) at = line.indexOf(' ', inner + 1);
    if (at < 0) break;
    lines.push(line.slice(0, at).trimEnd());
    line = ' '.repeat(indent + 2) + line.slice(at).trimStart();
  }
  return [...lines, line].join('\n');
}

/** A table of which columns that do not fit stand below, under their heads. */
export function foldedTable(head: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const blocks: string[] = [];
  for (let from = 0; from < head.length;) {
    const part = (to: number): string =>
      table(
        head.slice(from, to),
        rows.map((row) => row.slice(from, to)),
      );
    let to = head.length;
    while (
      to > from + 1 &&
      part(to)
        .split('\n')
        .some(({ length }) => length > width)
    )
      to--;
    blocks.push(part(to));
    from = to;
  }
  return blocks.join('\n\n');
}
