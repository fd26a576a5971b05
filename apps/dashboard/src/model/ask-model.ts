import type { DatasetFacts } from '@orchard/contracts';

/** One row of a table, or of bits. */
export type Row = Readonly<Record<string, unknown>> | readonly number[];

export interface Drawn {
  readonly names: readonly string[] | null;
  readonly rows: readonly Row[];
}

/** The names of the columns of a data set: of a table its variables. */
export function namesOf({ names, table, dimensions }: DatasetFacts): readonly string[] {
  return table?.variables.map(({ name }) => name) ?? names ?? Array.from({ length: dimensions }, (_, at) => String(at));
}

export const cellWords = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The first that fits is taken: where both may be, a comma stands in numbers. */
const delimiters = ['\t', ';', ','] as const;
/** Lines that show what stands between cells. */
const looked = 100;

/**
 * What stands between the cells of a text: one sign in all of its lines, since another may be part of cells, as the
 * comma of numbers.
 *
 * @param columns how many a row has, where it has all
 */
export function delimiterOf(lines: readonly string[], columns: number): string {
  const widths = delimiters.map((delimiter) => {
    const counts = new Set(lines.slice(0, looked).map((line) => cellsOf(line, delimiter).length));
    return counts.size === 1 ? [...counts][0]! : 1;
  });
  const fitting = delimiters[widths.indexOf(columns)];
  if (fitting !== undefined && columns > 1) return fitting;
  const most = widths.reduce((widest, width) => Math.max(widest, width));
  // where lines differ the row that does is refused by its cells
  return most > 1 ? delimiters[widths.indexOf(most)]! : (delimiters.find((one) => lines[0]!.includes(one)) ?? ',');
}

/** The cells of one line of CSV, with the quotes that spreadsheets write. */
export function cellsOf(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!;
    if (letter === '"') {
      if (isQuoted && line[at + 1] === '"') {
        cell = `${cell}"`;
        at += 1;
      } else isQuoted = !isQuoted;
    } else if (letter === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell].map((one) => one.trim());
}

/**
 * Pasted rows: lines of a file, with or without its header. A cell that is empty or `?` is missing.
 *
 * @param mayHaveHoles whether rows of bits may have missing values; rows of tables always may
 * @throws Error in words for people
 */
export function pastedRows(text: string, facts: DatasetFacts, mayHaveHoles = true): readonly unknown[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new Error('Nothing was pasted: expected a row of the table, its cells between commas.');
  const names = namesOf(facts);
  const delimiter = delimiterOf(lines, names.length);
  const cells = lines.map((line) => cellsOf(line, delimiter));
  // columns that the model leaves out may be in a file, and where columns have no names no line is a header
  const known = facts.table?.columns ?? facts.names ?? [];
  const isHeader = 2 * cells[0]!.filter((cell) => known.includes(cell)).length > cells[0]!.length;
  const columns = isHeader ? cells.shift()! : names;
  const stranger = columns.find((name) => !names.includes(name) && !known.includes(name));
  if (stranger !== undefined)
    throw new Error(
      `The column ${JSON.stringify(stranger)} is none that the model was trained beside: expected ${known.slice(0, 6).join(', ')}${known.length > 6 ? ', …' : ''}.`,
    );
  if (cells.length === 0) throw new Error('Only a header was pasted: expected a row below it.');
  for (const row of cells)
    if (row.length !== columns.length)
      throw new Error(
        `A row of ${String(row.length)} cells was pasted, expected ${String(columns.length)}: one for each of ${columns.slice(0, 4).join(', ')}${columns.length > 4 ? ', …' : ''}.`,
      );
  if (facts.table === undefined) {
    return cells.map((row) =>
      names.map((name) => {
        const value = row[columns.indexOf(name)];
        if (mayHaveHoles && (value === undefined || value === '' || value === '?')) return null;
        if (value !== '0' && value !== '1')
          throw new Error(
            `The cell of ${name} is ${JSON.stringify(value ?? '')}, expected 0 or 1${mayHaveHoles ? ', or ? where it is unknown' : ''}.`,
          );
        return Number(value);
      }),
    );
  }
  return cells.map((row) =>
    Object.fromEntries(columns.map((name, at) => [name, valueOf(row[at]!, facts, name)] as const)),
  );
}

function valueOf(cell: string, facts: DatasetFacts, name: string): string | number | null {
  if (cell === '' || cell === '?') return null;
  const variable = facts.table?.variables.find((one) => one.name === name);
  const isNumber = variable?.kind === 'ordered' && /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(cell);
  return isNumber ? Number(cell) : cell;
}
