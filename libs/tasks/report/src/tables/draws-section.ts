import { section } from '../section.js';
import { formatCount } from '../text.js';
import { dataText, shortened } from './data-text.js';
import type { TableFacts } from './table-facts.js';

const LONGEST_CELL = 32;

export function drawsSection({ draws, variables }: TableFacts): string {
  const { columns, rows, seed } = draws;
  const more = variables.length - columns.length;
  const rest = more > 0 ? ` ${formatCount(more)} more columns are left out.` : '';
  const head = columns.map((name) => `<th scope="col">${dataText(name, LONGEST_CELL)}</th>`).join('');
  const lines = rows
    .map(
      (row) =>
        `<tr>${row.map((cell) => `<td>${cell === null ? '<i class="said">absent</i>' : dataText(cell, LONGEST_CELL)}</td>`).join('')}</tr>`,
    )
    .join('');
  const widths = columns.map((name, at) =>
    Math.max(...[name, ...rows.map((row) => row[at] ?? 'absent')].map((text) => shortened(text, LONGEST_CELL).length)),
  );
  return section(
    'Samples as rows',
    `The first ${formatCount(rows.length)} samples of the model (seed ${String(seed)}), in the words of the file.${rest}`,
    `<div class="across${hintOf(widths)}"><table class="rows"><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table></div>`,
  );
}

/** Says that a table goes on where it is wider than the screen: a phone's, or any. In characters of each column. */
function hintOf(widths: readonly number[]): string {
  const width = widths.reduce((sum, characters) => sum + characters * 7.5 + 24, 0);
  return width > 1050 ? ' hinted always' : width > 300 ? ' hinted' : '';
}
