import type { CheckedTable, ColumnDrift, SuspectCell } from '@orchard/analysis';
import { counted, percent } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import { markdownRow } from '../../output/markdown-row.js';
import { shortened } from '../../output/shortened.js';
import { columnsOf, encodeTable, tableFile, type TableEnding, type TextColumn } from '../../output/table-file.js';
import type { Terminal } from '../../output/terminal.js';
import { writeOutput } from '../../output/write-output.js';

export interface ShownCells {
  readonly count: number;
  readonly falseAlarms: number;
}

/** As lines for people. */
export function cellsText(found: CheckedTable, shown: ShownCells): string {
  const { cells, drift } = found;
  return [
    headline(found, shown),
    ...cells.slice(0, shown.count).map(lineOf),
    ...rest(found, shown),
    ...(drift ?? []).map((column) => harmlessLine(driftWords(column))),
    ...(cells.length > 0 || (drift?.length ?? 0) > 0
      ? ['Something was found, so the exit code is 3; nothing found is 0.']
      : []),
  ].join('\n');
}

/** As a page, for the summary of a pipeline. */
export function cellsMarkdown(found: CheckedTable, shown: ShownCells): string {
  const { cells, drift } = found;
  const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
    rows.length === 0
      ? []
      : [
          '',
          markdownRow(head),
          markdownRow(head.map(() => '---')),
          ...rows.map((cellsOfRow) => markdownRow(cellsOfRow.map(harmlessLine))),
        ];
  const byCell = cells.slice(0, shown.count).map(shownCell);
  const byColumn = (drift ?? []).map(({ column, distance, byChance }) => [
    ...[column, distance.toPrecision(2), byChance.toPrecision(2)],
  ]);
  return [
    headline(found, shown),
    ...table(['row', 'column', 'value', 'probability', 'why'], byCell),
    ...rest(found, shown).flatMap((line) => ['', line]),
    ...table(['column that has drifted', 'distance', 'by chance'], byColumn),
  ].join('\n');
}

/** Writes a row for each cell that was found. */
export async function writeCells(path: string, cells: readonly SuspectCell[], terminal: Terminal): Promise<void> {
  const written = ['row', 'column', 'value', 'probability', 'expected', 'typoOf', 'form', 'score'] as const;
  const columns = Object.fromEntries(written.map((name) => [name, (cell: SuspectCell) => cell[name]]));
  await writeColumns(path, '--out', columnsOf(cells, columns));
  terminal.note(`orchard: ${counted(cells.length, 'cell')} in ${path}`);
}

/** Writes a row for each row of the file: how many of its cells were found, and the most unusual of them. */
export async function writeRowsOfCells(path: string, { cells, rows }: CheckedTable, terminal: Terminal): Promise<void> {
  const worst = new Map<number, SuspectCell>();
  const counts = new Map<number, number>();
  for (const cell of cells) {
    if (!worst.has(cell.row)) worst.set(cell.row, cell);
    counts.set(cell.row, (counts.get(cell.row) ?? 0) + 1);
  }
  const numbers = Array.from({ length: rows }, (_, row) => row + 1);
  const columns = columnsOf(numbers, {
    row: (row) => row,
    cells: (row) => counts.get(row) ?? 0,
    score: (row) => worst.get(row)?.score ?? 0,
    column: (row) => worst.get(row)?.column ?? null,
    value: (row) => worst.get(row)?.value ?? null,
    expected: (row) => worst.get(row)?.expected ?? null,
  });
  await writeColumns(path, '--per-row', columns);
  terminal.note(`orchard: a line for each row in ${path}`);
}

async function writeColumns(path: string, option: string, columns: readonly TextColumn[]): Promise<void> {
  await writeOutput(path, option, await encodeTable(endingOf(path, option), columns));
}

/** @throws UsageError for a file of another format, or standard output */
export function endingOf(path: string, option: string): TableEnding {
  return tableFile(path, option).ending;
}

function headline({ cells, rows, columns }: CheckedTable, { falseAlarms }: ShownCells): string {
  const byChance = Math.round(falseAlarms * rows * columns);
  return `${counted(cells.length, 'unusual cell')} of ${counted(rows * columns, 'cell')}; about ${String(byChance)} would be reported if every cell were right`;
}

function rest({ cells }: CheckedTable, { count }: ShownCells): string[] {
  return cells.length > count ? [`… and ${counted(cells.length - count, 'more cell')} (--count)`] : [];
}

function lineOf(cell: SuspectCell): string {
  const [row, column, value, probability, why] = shownCell(cell);
  return harmlessLine(`row ${row}: ${column} is ${value} (${probability}; ${why})`);
}

/** What a line or a row of the Markdown table has of a cell. */
function shownCell(
  cell: SuspectCell,
): readonly [row: string, column: string, value: string, share: string, why: string] {
  const { row, column, value, probability } = cell;
  return [String(row), shortened(column), shortened(value ?? 'missing'), percent(probability), shortened(whyOf(cell))];
}

function whyOf({ typoOf, form, expected }: SuspectCell): string {
  if (typoOf !== null) return `typo of ${typoOf}?`;
  return form === null ? `expected ${expected}` : `written as ${form}, expected ${expected}`;
}

export function driftWords({ column, distance, byChance }: ColumnDrift): string {
  return `column ${column} has drifted: distance ${distance.toPrecision(2)}, by chance ${byChance.toPrecision(2)}`;
}
