import type { Table } from '@orchard/contracts';
import { Encoder, holeCode, MISSING_MARKS } from '@orchard/dataset';
import { UsageError } from '../../output/errors.js';
import { refusedLine, type StreamLine } from './rows-of-lines.js';

const DELIMITERS = ['\t', ';', ',', '|'] as const;

/** Makes the lines of a stream rows of a table's codes. */
export class RowsOfTable {
  readonly #encoders: readonly Encoder[];
  readonly #holes: readonly (number | null)[];
  readonly #marks: ReadonlySet<string>;
  /** Where each variable stands in a line. */
  #places: readonly number[];
  #delimiter: string | null = null;

  constructor(private readonly table: Table) {
    const { variables, columns, missing } = table;
    this.#encoders = variables.map((variable) => new Encoder(variable));
    this.#holes = variables.map(holeCode);
    this.#marks = new Set([...MISSING_MARKS, missing]);
    this.#places = variables.map(({ name }) => columns.indexOf(name));
  }

  /**
   * A line of cells with tabs, semicolons, commas or bars between them, as all have them, in quotes or not. The first
   * may hold the names of the columns, in an order of its own. Null of an empty one.
   *
   * @param number of the line, from 1
   * @throws UsageError
   */
  read(line: string, number: number): StreamLine | null {
    if (line.trim() === '') return null;
    const { columns, variables } = this.table;
    const cells = this.#cut(line, number);
    if (number === 1 && cells.every((cell) => columns.includes(cell))) {
      const twice = cells.find((cell, at) => cells.indexOf(cell) < at);
      // a value may be called as a column
      if (twice === undefined) {
        this.#places = variables.map(({ name }) => cells.indexOf(name));
        return { names: cells };
      }
    }
    const values = new Uint16Array(variables.length);
    for (let index = 0; index < values.length; index++)
      values[index] = this.#code(cells[this.#places[index]!]!, index, number);
    return { values };
  }

  #code(cell: string, index: number, number: number): number {
    const encoder = this.#encoders[index]!;
    const { name } = encoder.variable;
    // what marks a missing value elsewhere may be a label here
    const isMark =
      this.#marks.has(cell) && (encoder.variable.kind === 'ordered' || !encoder.variable.labels.includes(cell));
    const code = isMark ? this.#holes[index]! : encoder.code(cell, encoder.value(cell));
    if (code !== null) return code;
    const got = isMark
      ? `no value of ${JSON.stringify(name)}`
      : `${JSON.stringify(cell.slice(0, 40))} as ${JSON.stringify(name)}`;
    throw refusedLine(got, isMark ? 'a value, as in all rows of --like' : 'a value of its kind, as in --like', number);
  }

  #cut(line: string, number: number): readonly string[] {
    const { length } = this.table.columns;
    if (length === 1) return [cellsOf(line, '\n')![0]!];
    const tried = this.#delimiter === null ? DELIMITERS : [this.#delimiter];
    let most = 0;
    for (const delimiter of tried) {
      const cells = cellsOf(line, delimiter);
      if (cells?.length === length) {
        this.#delimiter = delimiter;
        return cells;
      }
      most = Math.max(most, cells?.length ?? 0);
    }
    throw refusedLine(`${String(most)} cells`, `${String(length)}, as --like has columns`, number);
  }
}

/** The cells of a line; null where a quote is not closed or something follows it. */
export function cellsOf(line: string, delimiter: string): string[] | null {
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    while (line[at] === ' ') at++;
    if (line[at] !== '"') {
      const end = line.indexOf(delimiter, at);
      cells.push(line.slice(at, end < 0 ? undefined : end).trim());
      if (end < 0) return cells;
      at = end;
      continue;
    }
    const [, text, after] = /^"((?:[^"]|"")*)" *(.?)/.exec(line.slice(at)) ?? [];
    if (text === undefined || (after !== '' && after !== delimiter)) return null;
    cells.push(text.replaceAll('""', '"'));
    at = line.indexOf(delimiter, at + text.length + 2);
    if (at < 0) return cells;
  }
}

/** @throws UsageError for a stream of 0 and 1 that is asked to go on as one of categories */
export function refuseLike(file: string, out: string): never {
  throw new UsageError({
    got: `--like ${file}`,
    expected: `rows of 0 and 1, as ${out} was begun`,
    where: '--like',
    remedy: 'Leave it out, or give another folder to begin anew.',
  });
}
