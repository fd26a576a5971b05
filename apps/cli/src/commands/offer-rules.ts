import type { Table } from '@orchard/contracts';
import { encodeParts, type RawTable } from '@orchard/dataset';
import { offeredRules, type OfferedRule } from '@orchard/model';
import { count, counted, table as columnsTable } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';

/** Rules that are shown; all are in the document. */
const MOST_SHOWN = 40;

/** Rules that all rows of a file follow. */
export async function rulesOfFile(raw: RawTable, table: Table): Promise<readonly OfferedRule[]> {
  const numbers = table.variables.map(({ kind }): number[] | null => (kind === 'ordered' ? [] : null));
  const labels = table.variables.map(({ kind }): (string | null)[] | null => (kind === 'ordered' ? null : []));
  let all = 0;
  for await (const part of encodeParts(raw, table, { missing: 'value', mayBeUnknown: true })) {
    const { rows } = part.matrix;
    for (let row = 0; row < rows; row++)
      table.variables.forEach((_, index) => {
        numbers[index]?.push(part.numberAt(row, index));
        labels[index]?.push(part.text(row, index));
      });
    all += rows;
  }
  return offeredRules(table, { rows: all, labels, numbers: numbers.map((own) => own && Float64Array.from(own)) });
}

export function showOfferedRules(rules: readonly OfferedRule[], terminal: Terminal): void {
  if (rules.length === 0) {
    terminal.result('no rule that all rows follow was found');
    return;
  }
  terminal.result('all rows follow; check which of them always hold, and give those by --rule:');
  const shown = rules.slice(0, MOST_SHOWN).map(({ rule, rows }) => [rule, counted(rows, 'row')]);
  terminal.result(columnsTable(['rule', 'shown by'], shown));
  if (rules.length > MOST_SHOWN) terminal.result(`… and ${count(rules.length - MOST_SHOWN)} more: --json has all`);
}
