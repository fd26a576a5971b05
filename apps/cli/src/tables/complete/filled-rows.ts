import type { Variable } from '@orchard/contracts';
import { isHole } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { tableFile, type TextColumn } from '../../output/table-file.js';
import type { Given } from './answering.js';
import { cellWordsOf, isOfItsFile, type CellWords } from './cell-words.js';
import type { RowsToAnswer } from './rows-to-complete.js';

/**
 * The column that numbers the draws: `draw`, with as many `_` before it as the file's own columns leave it no other
 * name.
 */
function numberColumn(columns: readonly string[]): string {
  let name = 'draw';
  while (columns.includes(name)) name = `_${name}`;
  return name;
}

/** The file's own cells with the missing ones filled in; with several draws, each row as often, numbered. */
export class FilledRows {
  readonly #model: TabularModel;
  readonly #columns: readonly string[];
  /** Of each column of the file its variable; -1 where the model has none. */
  readonly #places: readonly number[];
  readonly #words: readonly CellWords[];
  /** What types of columns are by; undefined where they are by their cells. */
  readonly #variables: readonly (Variable | undefined)[];

  constructor(
    { model, columns, readings, areTyped, options }: Given,
    private readonly draws: number,
  ) {
    this.#model = model;
    this.#columns = columns;
    this.#places = columns.map((name) => model.table.variables.findIndex((variable) => variable.name === name));
    const files = { areTyped, isText: tableFile(options.out).ending === '.csv' };
    const each = this.#places.map((index) => [model.table.variables[index], readings[index] ?? null] as const);
    this.#words = each.map(([variable, reading]) => cellWordsOf(variable, reading, files));
    this.#variables = each.map(([variable, reading]) => (isOfItsFile(variable, reading, files) ? undefined : variable));
  }

  /** @param filled of each draw, of each variable, by row; only what is missing is looked at */
  columnsOf(
    { matrix: { rows }, known, misfits, cellAt }: RowsToAnswer,
    filled: readonly (readonly (readonly (string | null | undefined)[])[])[],
  ): TextColumn[] {
    const { variables, offsets } = this.#model;
    const columns = this.#columns.map((name, at): TextColumn => {
      const index = this.#places[at]!;
      const { own, filled: written } = this.#words[at]!;
      const texts: (string | null)[] = [];
      for (let row = 0; row < rows; row++) {
        const isMissing = index >= 0 && known.get(row, offsets[index]!) === 0 && !misfits.has(row * variables + index);
        const cell = isMissing ? null : cellAt(row, at);
        for (const ofDraw of filled) {
          const text = isMissing ? (ofDraw[index]![row] ?? null) : null;
          texts.push(isMissing ? text && written(text) : isHole(cell) ? null : own(cell));
        }
      }
      return { name, texts, variable: this.#variables[at] };
    });
    if (this.draws === 1) return columns;
    const numbers = Array.from({ length: rows * this.draws }, (_, at) => String((at % this.draws) + 1));
    return [{ name: numberColumn(this.#columns), texts: numbers }, ...columns];
  }
}
