/** A row of a Markdown table: what would end a cell or the line is written so that it does not. */
export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
}
