/**
 * A table of Markdown that reads well as text too: the first columns stand on the left, figures on the right.
 *
 * @param {readonly string[]} heads
 * @param {readonly (readonly (string | number)[])[]} rows
 * @param {number} [left] how many columns are words
 */
export function markdownTable(heads, rows, left = 1) {
  const all = [heads, ...rows].map((row) => row.map(String));
  const widths = heads.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const aligned = (row) =>
    line(row.map((cell, at) => (at < left ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))));
  const rule = line(widths.map((width, at) => (at < left ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  const [titles, ...body] = all.map(aligned);
  return [titles, rule, ...body].join('\n');
}
