import { valuesOf, type BitMatrix, type Texts } from '@orchard/dataset';
import { sampleByShares, type ColumnShares, type RowsByShares, type TabularModel } from '@orchard/model';
import type { RowSource } from '../samples/sampled-rows.js';

/** Rows that have the shares that were asked for, batch after batch. */
export class SharesSampler implements RowSource {
  readonly #rows: RowsByShares;
  #taken = 0;

  constructor(
    private readonly model: TabularModel,
    readonly columns: readonly ColumnShares[],
    private readonly asked: { readonly count: number; readonly seed: number },
  ) {
    this.#rows = sampleByShares(model, columns, asked);
  }

  next(count: number): BitMatrix {
    const first = this.#taken;
    this.#taken += count;
    return this.#rows.codes.selectRows(Uint32Array.from({ length: count }, (_, at) => first + at));
  }

  /** Rows in words: values lie in the part of their row. */
  wordsOf(codes: BitMatrix, firstRow: number): Texts {
    const { table } = this.model;
    const { seed } = this.asked;
    const texts = valuesOf(codes, table, seed, new Map(), new Map(), firstRow);
    for (let row = 0; row < codes.rows; row++) {
      const allowed = this.#rows.allowedIn(firstRow + row);
      if (allowed.size === 0) continue;
      const own = valuesOf(codes.selectRows([row]), table, seed, allowed, new Map(), firstRow + row);
      own.forEach((column, index) => {
        texts[index]![row] = column[0]!;
      });
    }
    return texts;
  }

  /** Rows that were weighed, of which these are a part; null where each part was sampled by itself. */
  get pool(): number | null {
    return this.#rows.pool;
  }

  get effectiveRows(): number {
    return this.#rows.effectiveRows;
  }
}
