import type { Variable } from '@orchard/contracts';
import { ColumnProfile } from '../table/column-profile.js';
import { MOST_COUNTED } from '../table/number-profile.js';
import { NumberCells, RepeatedCells, type RawColumn } from '../table-files/raw-column.js';
import type { RawCell } from '../table-files/raw-table.js';
import { Encoder, isHole, labelOf } from '../variables/cell-values.js';
import { isMarkIn } from '../variables/marks-among-numbers.js';

/** Whether a model's column reads all cells of a file's column as they stand. */
export class FirstLook {
  /** False from the first cell on that is not read. */
  readsAll = true;
  readonly #encoder: Encoder;
  readonly #labels: ReadonlySet<string> | null;
  /** Cells that were looked at. */
  readonly #cells = new Set<RawCell>();
  /** Of repeated cells, so many words of the list. */
  #words: readonly RawCell[] = [];
  #knownWords = 0;

  constructor(private readonly variable: Variable) {
    this.#encoder = new Encoder(variable);
    this.#labels = variable.kind === 'ordered' ? null : new Set(variable.labels);
  }

  add(column: RawColumn, rows: number): void {
    if (!this.readsAll) return;
    const { variable } = this;
    const isPlain = variable.kind === 'ordered' && variable.format.type === 'number' && !variable.format.written;
    if (isPlain && (column instanceof NumberCells || column instanceof Float64Array)) return;
    if (column instanceof RepeatedCells) this.#addWords(column.words);
    else for (let row = 0; row < rows && this.readsAll; row++) this.#addCell(column.at(row) ?? null);
  }

  #addWords(words: readonly RawCell[]): void {
    if (this.#words !== words) {
      this.#words = words;
      this.#knownWords = 0;
    }
    for (; this.#knownWords < words.length; this.#knownWords++) this.#addCell(words[this.#knownWords]!);
  }

  #addCell(cell: RawCell): void {
    if (isHole(cell) || isMarkIn(this.variable, cell) || this.#cells.has(cell)) return;
    if (!isReadAsItStands(cell, this.#encoder, this.#labels)) this.readsAll = false;
    if (this.#cells.size < MOST_COUNTED) this.#cells.add(cell);
  }
}

/** @param labels of a column of labels; null of numbers and moments */
export function isReadAsItStands(
  cell: Exclude<RawCell, null>,
  encoder: Encoder,
  labels: ReadonlySet<string> | null,
): boolean {
  return labels === null ? !Number.isNaN(encoder.value(cell)) : labels.has(labelOf(cell));
}

/** A file's column that a model's column does not read as it stands. */
export class SeenColumn {
  readonly profile: ColumnProfile;
  /** Rows by cell, exact while there are few distinct ones; of more, of the first of them. */
  readonly cells = new Map<Exclude<RawCell, null>, number>();

  constructor(
    private readonly variable: Variable,
    columns: number,
    index: number,
  ) {
    this.profile = new ColumnProfile(columns, index, null, { labels: true, numbers: true, sample: false });
  }

  add(column: RawColumn, rows: number): void {
    this.profile.addColumn(column, rows, null, 0);
    for (let row = 0; row < rows; row++) {
      const cell = column.at(row);
      if (isHole(cell) || isMarkIn(this.variable, cell)) continue;
      const count = this.cells.get(cell);
      if (count !== undefined || this.cells.size < MOST_COUNTED) this.cells.set(cell, (count ?? 0) + 1);
    }
  }

  end(): this {
    this.profile.end();
    return this;
  }

  /** Rows whose cell is so, of those whose cell was counted. */
  rowsWhere(is: (cell: Exclude<RawCell, null>) => boolean): number {
    let count = 0;
    for (const [cell, rows] of this.cells) if (is(cell)) count += rows;
    return count;
  }
}
