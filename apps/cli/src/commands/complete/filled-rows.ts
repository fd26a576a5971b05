import { isHole } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import type { TextColumn } from '../../output/table-file.js';
import type { Given } from './answering.js';
import { cellWordsOf, type CellWords } from './cell-words.js';
import type { RowsToAnswer } from './rows-to-complete.js';

/** The column that numbers the draws. */
const NUMBERS = 'draw';

/** `draw`, with as many `_` before it as the file's own columns leave it no other name. */
function numberColumn(columns: readonly string[]): string {
  let name = NUMBERS;
  while (columns.includes(name)) name = `_${name}`;
  return name;
}

interface WrittenColumn {
  readonly name: string;
  /** Its number in the file. */
  readonly at: number;
  /** Its variable; -1 where the model has none. */
  readonly index: number;
  readonly words: CellWords;
}

/** The file's own cells with the missing ones filled in; with several draws, each row as often, numbered. */
export class FilledRows {
  readonly #model: TabularModel;
  readonly #columns: readonly WrittenColumn[];
  readonly #numbered: string;
  /** Whether cells come as they stand in the text, those that stay missing too. */
  readonly #areWritten: boolean;

  constructor(
    { filler: { model }, columns, places, readings, file }: Given,
    private readonly draws: number,
  ) {
    this.#model = model;
    this.#numbered = numberColumn(columns);
    const { written } = file;
    this.#areWritten = written !== null;
    const indexes = new Map(places.map((at, index) => [at, index]));
    this.#columns = columns.flatMap((name, at) => {
      if (file.unreadable.has(at)) return [];
      const index = indexes.get(at) ?? -1;
      const variable = model.table.variables[index];
      const column = { at, variable, reading: readings[index] ?? null };
      const words = cellWordsOf(column, file);
      const field = written === null ? words.filled : (text: string) => written.fieldOf(words.filled(text), at);
      // a file without names has the model's
      return [{ name: written?.names?.[at] ?? variable?.name ?? name, at, index, words: { ...words, filled: field } }];
    });
  }

  /** @param filled of each draw, of each variable, by row; only what is missing is looked at */
  columnsOf(
    { matrix: { rows }, known, misfits, cellAt }: RowsToAnswer,
    filled: readonly (readonly (readonly (string | null | undefined)[])[])[],
  ): TextColumn[] {
    const { variables, offsets } = this.#model;
    const columns = this.#columns.map(({ name, at, index, words }): TextColumn => {
      const { own, filled: written, ...type } = words;
      const texts: (string | null)[] = [];
      for (let row = 0; row < rows; row++) {
        const isMissing = index >= 0 && known.get(row, offsets[index]!) === 0 && !misfits.has(row * variables + index);
        const cell = isMissing && !this.#areWritten ? null : cellAt(row, at);
        const stays = isHole(cell) ? null : own(cell);
        for (const ofDraw of filled) {
          const text = isMissing ? (ofDraw[index]![row] ?? null) : null;
          texts.push(text === null ? stays : written(text));
        }
      }
      return { name, texts, ...type };
    });
    if (this.draws === 1) return columns;
    const numbers = Array.from({ length: rows * this.draws }, (_, at) => String((at % this.draws) + 1));
    return [{ name: this.#numbered, texts: numbers }, ...columns];
  }
}
