// A table of a page, made of figures that are kept as data.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/benchmarks/measured');

/**
 * A value as it was measured, or as somebody else published it.
 *
 * @typedef {{ value: number, digits: number, unit?: string } & (
 *   { command: string, commit: string, machine: string, date: string } | { source: string })} Figure
 */
/**
 * A table of one page; cells name figures in braces, as `{whole-runs}`, or what they are of, as `{whole-runs:date}` and
 * `{whole-runs:commit}`. With `borrows` they may name the figures of that file too, so that each has one place.
 *
 * @typedef {{
 *   page: string,
 *   figures: Record<string, Figure>,
 *   borrows?: string,
 *   borrowed?: Record<string, Figure>,
 *   columns: string[],
 *   rows: string[][],
 * }} FiguresOfPage
 */

/** All tables that are made of data. @returns {Map<string, FiguresOfPage>} by the name of the file */
export function figuresOfPages() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const tables = new Map(names.map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]));
  for (const table of tables.values()) table.borrowed = tables.get(table.borrows)?.figures;
  return tables;
}

/**
 * The cells of the rows, with the figures in their places.
 *
 * @param {FiguresOfPage} table
 * @returns {string[][]}
 * @throws {Error} where a cell names a figure that is not there, or a figure stands in no cell
 */
export function cellsOf({ page, figures, borrowed, rows }) {
  const left = new Set(Object.keys(figures));
  const shown = rows.map((row) =>
    row.map((cell) =>
      cell.replace(/\{([\w-]+)(?::(date|commit))?\}/g, (_, name, field) => {
        const figure = figures[name] ?? borrowed?.[name];
        if (figure === undefined) throw new Error(`${page}: a cell names ${name}, which is not among the figures`);
        left.delete(name);
        return field === undefined ? textOf(figure) : figure[field];
      }),
    ),
  );
  if (left.size > 0) throw new Error(`${page}: no cell names ${[...left].join(', ')}`);
  return shown;
}

/** @param {Figure} figure */
function textOf({ value, digits, unit = '' }) {
  return `${value.toFixed(digits).replace(/^0(?=\.)/, '')}${unit}`;
}

/**
 * The page with the table in it: in the place of the one that has the same columns.
 *
 * @param {string} page its text
 * @param {FiguresOfPage} table
 * @returns {string} Markdown whose columns are not aligned: Prettier does that
 * @throws {Error} where the page has no such table
 */
export function withTable(page, table) {
  const lines = page.split('\n');
  const from = lines.findIndex((line) => line.startsWith('|') && rowOf(line).join() === table.columns.join());
  if (from < 0) throw new Error(`${table.page} has no table with the columns ${table.columns.join(', ')}`);
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  const made = cellsOf(table).map((row) => `| ${row.join(' | ')} |`);
  lines.splice(from + 2, (length < 0 ? lines.length - from : length) - 2, ...made);
  return lines.join('\n');
}

/** The cells of a line of a table. @param {string} line */
function rowOf(line) {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
