import { listNames } from '../rows/columns.js';
import { DatasetError, quote } from '../errors.js';
import type { ReadContext } from '../reading/options.js';
import { checkCells, createMatrix, invert, type ReadRows } from './row-sink.js';
import { requireRows } from '../rows/require-rows.js';

const MAX_CATEGORIES = 0xffff;
const UNKNOWN = 0xffff;
const CHUNK_ROWS = 1 << 16;
/** Of a name and its entry in a map, beside its characters. */
const BYTES_A_CATEGORY = 128;

/** One categorical column while it is read: two bytes a row, whatever the number of its categories. */
export class CategoricalColumn {
  readonly #codes = new Map<string, number>();
  readonly #chunks: Uint16Array[] = [];
  readonly #closed: boolean;
  #rows = 0;

  /**
   * @param names of the training rows, whose categories are then the only ones
   * @param memory see `ReadOptions.onMemory`
   */
  constructor(
    readonly name: string,
    names: readonly string[] | null,
    private readonly memory: (bytes: number) => void,
  ) {
    const prefix = `${name}=`;
    this.#closed = names !== null;
    for (const known of names ?? [])
      if (known.startsWith(prefix)) this.#codes.set(known.slice(prefix.length), this.#codes.size);
  }

  get size(): number {
    return this.#codes.size;
  }

  /** Adds the next row's category, or null where it is missing. @throws DatasetError on a category too many. */
  push(category: string | null, where: () => string): void {
    let code = category === null ? UNKNOWN : this.#codes.get(category);
    if (code === undefined) {
      if (this.#closed) {
        throw new DatasetError('value', {
          got: `the category ${quote(category!)}`,
          expected: `one that the training rows have: ${listNames([...this.#codes.keys()])}`,
          where: where(),
          remedy: 'Leave the row out, or train on rows that have this category.',
        });
      }
      code = this.#codes.size;
      if (code >= MAX_CATEGORIES) {
        throw new DatasetError('limit', {
          got: `more than ${MAX_CATEGORIES} categories`,
          expected: 'a column with few distinct values',
          where: where(),
          remedy: 'Leave the column out of the one-hot columns.',
        });
      }
      this.memory(2 * category!.length + BYTES_A_CATEGORY);
      this.#codes.set(category!, code);
    }
    if (this.#rows % CHUNK_ROWS === 0) {
      this.memory(2 * CHUNK_ROWS);
      this.#chunks.push(new Uint16Array(CHUNK_ROWS));
    }
    this.#chunks.at(-1)![this.#rows++ % CHUNK_ROWS] = code;
  }

  /** Categories in code unit order, and for each code its place in that order. */
  ranked(): { categories: string[]; rank: Uint16Array } {
    const categories = [...this.#codes.keys()].sort();
    const rank = new Uint16Array(categories.length);
    categories.forEach((category, place) => {
      rank[this.#codes.get(category)!] = place;
    });
    return { categories, rank };
  }

  /** The code of a row, or -1 where it is missing. */
  code(row: number): number {
    const code = this.#chunks[Math.floor(row / CHUNK_ROWS)]![row % CHUNK_ROWS]!;
    return code === UNKNOWN ? -1 : code;
  }
}

/**
 * Replaces categorical columns by one dimension a category.
 * @param plain rows of the other columns, or null where there are none
 * @param order of the columns: a categorical one, or the name of a plain one
 */
export function expandCategories(
  context: ReadContext,
  rows: number,
  plain: ReadRows | null,
  order: readonly (CategoricalColumn | string)[],
): ReadRows {
  requireRows(rows, context.name);
  const names: string[] = [];
  const places = order.map((column) => {
    const first = names.length;
    if (typeof column === 'string') {
      names.push(column);
      return { first, count: 1, column: null, rank: new Uint16Array(0) };
    }
    const { categories, rank } = column.ranked();
    for (const category of categories) names.push(`${column.name}=${category}`);
    return { first, count: categories.length, column, rank };
  });
  checkCells(context, rows, names.length);
  const { shape = null, shared = false } = context.options;
  const values = createMatrix(context, rows, names.length, { names, shape, shared });
  const unknown = context.masked ? createMatrix(context, rows, names.length, { names, shape, shared }) : null;
  for (let row = 0; row < rows; row++) {
    let plainDim = 0;
    for (const { first, count, column, rank } of places) {
      if (!column) {
        if (plain!.values.get(row, plainDim)) values.set(row, first, 1);
        if (plain!.known?.get(row, plainDim) === 0) unknown!.set(row, first, 1);
        plainDim++;
        continue;
      }
      const code = column.code(row);
      if (code >= 0) values.set(row, first + rank[code]!, 1);
      else for (let dim = first; dim < first + count; dim++) unknown!.set(row, dim, 1);
    }
  }
  if (unknown) invert(unknown);
  return { values, known: unknown };
}
