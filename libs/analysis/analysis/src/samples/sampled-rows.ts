import { valuesOf, type BitMatrix, type Texts } from '@orchard/dataset';
import type { RuledRows, TabularModel } from '@orchard/model';

/** What rows are made of, batch after batch. */
export interface RowSource {
  next(rows: number): BitMatrix;
  /** Rows in words. @param firstRow the number of the first of them */
  wordsOf(codes: BitMatrix, firstRow: number): Texts;
}

/**
 * Rows of a model of which nothing is given: the same seed gives the same ones.
 *
 * @param ruled the model under rules; null where none hold
 * @param first the number of the first row
 */
export function rowsOfModel(model: TabularModel, ruled: RuledRows | null, seed: number, first = 0): RowSource {
  const sampler = (ruled ?? model).sampler(seed);
  if (first > 0) sampler.skip(first);
  return {
    next: (rows) => sampler.next(rows),
    wordsOf: (codes, firstRow) =>
      ruled?.wordsOf(codes, seed, first + firstRow) ??
      valuesOf(codes, model.table, seed, new Map(), new Map(), first + firstRow),
  };
}

/** Rows of a batch, where they are not wide: few enough that their words are gone before they count as lasting. */
const BATCH_ROWS = 4096;
/** Values that the rows of a batch have, of wide rows: about. */
const BATCH_VALUES = 2 ** 17;
/** Networks sample as many rows in the time of one: wide rows come together unless they are so many values. */
const TOGETHER = { rows: 512, values: 2 ** 22 };

/** How many rows of so many columns are sampled and written at a time. */
export function sampledAtATime(columns: number): number {
  const together = Math.min(TOGETHER.rows, Math.floor(TOGETHER.values / columns));
  return Math.max(1, together, Math.min(BATCH_ROWS, Math.floor(BATCH_VALUES / columns)));
}

/**
 * Rows that are sampled when they are asked for, a batch at a time, and each of them once. Of rows that are asked for
 * by number before they are taken the codes are held, a twentieth of what their words need; all else is let go of.
 */
export class SampledRows {
  /** Of each batch that was sampled its codes; null where it was taken. */
  readonly #codes: (BitMatrix | null)[] = [];
  /** Of rows that were sampled anew, their words. */
  readonly #replaced = new Map<number, readonly (string | null)[]>();
  #sampled = 0;
  #last: { readonly batch: number; readonly texts: Texts } | null = null;

  constructor(
    private readonly count: number,
    private readonly source: RowSource,
    private readonly batchRows: number,
  ) {}

  /** The first rows in words, batch after batch: one that was taken is gone. */
  *taken(rows = this.count): Generator<Texts, void> {
    for (let batch = 0; batch * this.batchRows < rows; batch++) {
      const texts = this.#textsOf(batch);
      this.#codes[batch] = null;
      const wanted = rows - batch * this.batchRows;
      yield wanted < this.batchRows ? texts.map((column) => column.slice(0, wanted)) : texts;
    }
  }

  /** One row; those of a batch one after the other cost little. */
  row(row: number): readonly (string | null)[] {
    const own = this.#replaced.get(row);
    if (own !== undefined) return own;
    const batch = Math.floor(row / this.batchRows);
    if (this.#last?.batch !== batch) this.#last = { batch, texts: this.#textsOf(batch) };
    return this.#last.texts.map((column) => column[row % this.batchRows]!);
  }

  replace(row: number, texts: readonly (string | null)[]): void {
    this.#replaced.set(row, texts);
    this.#last = null;
  }

  #textsOf(batch: number): Texts {
    const firstRow = batch * this.batchRows;
    const texts = this.source.wordsOf(this.#codesOf(batch), firstRow);
    if (this.#replaced.size === 0) return texts;
    const rows = texts[0]?.length ?? 0;
    const replaced = texts.map((column) => [...column]);
    for (let at = 0; at < rows; at++) {
      const own = this.#replaced.get(firstRow + at);
      if (own === undefined) continue;
      for (let index = 0; index < replaced.length; index++) replaced[index]![at] = own[index]!;
    }
    return replaced;
  }

  #codesOf(batch: number): BitMatrix {
    while (this.#codes.length <= batch) {
      const rows = Math.min(this.batchRows, this.count - this.#sampled);
      this.#codes.push(this.source.next(rows));
      this.#sampled += rows;
    }
    const codes = this.#codes[batch]!;
    if (codes === null) throw new Error('SampledRows: rows that were taken before');
    return codes;
  }
}
