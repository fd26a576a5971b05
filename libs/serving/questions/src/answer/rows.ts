import type { NumberFormat, Table } from '@orchard/contracts';
import {
  BitMatrix,
  bitTable,
  DatasetError,
  numberOf,
  readAsTrained,
  type RawBatch,
  type RawColumn,
  type RawTable,
  type SecondFile,
  type Texts,
} from '@orchard/dataset';
import { toValues, type DensityModel, type TabularModel } from '@orchard/model';
import { z } from 'zod';
import { kindsSchema } from '../row-documents.js';

const label = z.union([z.string(), z.number(), z.boolean()]);

/**
 * A column of a table: numbers, NaN for a missing value; or labels, and of each row the place of its own, -1 for a
 * missing value.
 */
const columnSchema = z.union([
  z.strictObject({ name: z.string(), numbers: z.instanceof(Float64Array) }),
  z.strictObject({ name: z.string(), labels: z.array(label), places: z.instanceof(Int32Array) }),
]);

/** All columns of 0 and 1 at once, row by row; 2 stands for a missing value. */
const bitColumnsSchema = z.strictObject({ bits: z.instanceof(Uint8Array) });

/** Rows by their columns. */
export const rowsSchema = z.strictObject({
  count: z.int().min(0),
  columns: z.union([z.tuple([bitColumnsSchema]), z.array(columnSchema)]),
  types: kindsSchema,
});

export type RowsDocument = z.infer<typeof rowsSchema>;
export type ColumnDocument = z.infer<typeof columnSchema>;

/** How the rows that were given are called in messages. */
const ROWS = 'X';
export const MISSING_BIT = 2;
const BATCH_ROWS = 1024;

/**
 * The rows, read as those that trained a model.
 *
 * @throws DatasetError for columns of other lengths, and for others than the model's
 */
export async function rowsAsTrained(
  { count, columns, types }: RowsDocument,
  { table, ofBits }: TabularModel,
): Promise<Pick<SecondFile, 'table' | 'remarks'>> {
  const [first] = columns;
  if (!isOfBits(first)) return readAsTrained(rawTableOf(count, columns as ColumnDocument[]), table, { types });
  if (ofBits !== undefined) return { table: bitsOf(count, first.bits, ofBits), remarks: [] };
  throw new DatasetError('format', {
    got: 'rows of 0 and 1',
    expected: 'the columns of a table',
    where: ROWS,
    remedy: 'Give the rows that the model is of.',
  });
}

function isOfBits(column: RowsDocument['columns'][number] | undefined): column is z.infer<typeof bitColumnsSchema> {
  return column !== undefined && 'bits' in column;
}

function rawTableOf(count: number, columns: readonly ColumnDocument[]): RawTable {
  for (const column of columns) {
    const length = 'numbers' in column ? column.numbers.length : column.places.length;
    if (length !== count)
      throw new DatasetError('ragged', {
        got: `${String(length)} values of ${JSON.stringify(column.name)}`,
        expected: `${String(count)}, as there are rows`,
        where: ROWS,
        remedy: 'Give every column a value for each row.',
      });
  }
  return {
    name: ROWS,
    format: 'arrow',
    columns: columns.map(({ name }) => name),
    hasHeader: true,
    notes: [],
    wordFor: (option) => (option === 'types' ? 'model.kinds, model_.kinds of an estimator' : ''),
    batches: () => batchesOf(columns, count),
    close: () => Promise.resolve(),
  };
}

async function* batchesOf(columns: readonly ColumnDocument[], count: number): AsyncGenerator<RawBatch, void> {
  await Promise.resolve();
  for (let from = 0; from < count; from += BATCH_ROWS) {
    const to = Math.min(count, from + BATCH_ROWS);
    yield { rows: to - from, columns: columns.map((column) => cellsOf(column, from, to)) };
  }
}

function cellsOf(column: ColumnDocument, from: number, to: number): RawColumn {
  if ('numbers' in column) return column.numbers.subarray(from, to);
  const { labels, places } = column;
  return Array.from(places.subarray(from, to), (place) => labels[place] ?? null);
}

/** Rows that come batch by batch, for a document: in the words of a table, of 0 and 1 as they are. */
export interface RowsWriter {
  add(texts: Texts): this;
  /** @param wordsOf what codes are in the words of the table */
  addCodes(codes: BitMatrix, wordsOf: (codes: BitMatrix) => Texts): this;
  document(): RowsDocument;
}

export function rowsWriter({ table, ofBits, variables }: TabularModel, count: number): RowsWriter {
  return ofBits === undefined ? new ColumnDocuments(table, count) : new BitDocument(variables, count);
}

class BitDocument implements RowsWriter {
  readonly #bits: Uint8Array<ArrayBuffer>;
  #rows = 0;

  constructor(
    private readonly width: number,
    private readonly count: number,
  ) {
    this.#bits = new Uint8Array(width * count);
  }

  add(texts: Texts): this {
    texts.forEach((column, index) => {
      column.forEach((text, row) => {
        this.#bits[(this.#rows + row) * this.width + index] = text === '1' ? 1 : 0;
      });
    });
    this.#rows += texts[0]!.length;
    return this;
  }

  addCodes(codes: BitMatrix): this {
    this.#bits.set(toValues(codes), this.#rows * this.width);
    this.#rows += codes.rows;
    return this;
  }

  document(): RowsDocument {
    return { count: this.count, columns: [{ bits: this.#bits }] };
  }
}

/** Of columns numbers and places are kept, and each distinct text once. */
class ColumnDocuments implements RowsWriter {
  readonly #columns: readonly (NumberedColumn | LabelledColumn)[];
  #rows = 0;

  constructor(
    { variables }: Table,
    private readonly count: number,
  ) {
    this.#columns = variables.map((variable) =>
      variable.kind === 'ordered' && variable.format.type === 'number'
        ? new NumberedColumn(variable.name, variable.format, count)
        : new LabelledColumn(variable.name, count),
    );
  }

  add(texts: Texts): this {
    this.#columns.forEach((column, index) => {
      column.set(this.#rows, texts[index]!);
    });
    this.#rows += texts[0]?.length ?? 0;
    return this;
  }

  addCodes(codes: BitMatrix, wordsOf: (codes: BitMatrix) => Texts): this {
    return this.add(wordsOf(codes));
  }

  document(): RowsDocument {
    return { count: this.count, columns: this.#columns.map((column) => column.document()) };
  }
}

class NumberedColumn {
  readonly #numbers: Float64Array<ArrayBuffer>;

  constructor(
    private readonly name: string,
    private readonly format: NumberFormat,
    count: number,
  ) {
    this.#numbers = new Float64Array(count);
  }

  set(first: number, texts: readonly (string | null)[]): void {
    texts.forEach((text, row) => {
      this.#numbers[first + row] = text === null ? NaN : numberOf(text, this.format);
    });
  }

  document(): ColumnDocument {
    return { name: this.name, numbers: this.#numbers };
  }
}

class LabelledColumn {
  readonly #places: Int32Array<ArrayBuffer>;
  readonly #placesOfTexts = new Map<string, number>();

  constructor(
    private readonly name: string,
    count: number,
  ) {
    this.#places = new Int32Array(count);
  }

  set(first: number, texts: readonly (string | null)[]): void {
    texts.forEach((text, row) => {
      this.#places[first + row] = text === null ? -1 : this.#placeOf(text);
    });
  }

  document(): ColumnDocument {
    return { name: this.name, labels: [...this.#placesOfTexts.keys()], places: this.#places };
  }

  #placeOf(text: string): number {
    const place = this.#placesOfTexts.get(text) ?? this.#placesOfTexts.size;
    this.#placesOfTexts.set(text, place);
    return place;
  }
}

/** Texts, each distinct one said once. */
export function labelled(name: string, texts: readonly (string | null)[]): ColumnDocument {
  const column = new LabelledColumn(name, texts.length);
  column.set(0, texts);
  return column.document();
}

/** Rows of 0 and 1, one after another, as a table. @throws DatasetError for another width, and for other values */
export function bitsOf(count: number, bits: Uint8Array, { dimensions, names, shape }: DensityModel): RawTable {
  if (bits.length !== count * dimensions)
    throw new DatasetError('ragged', {
      got: `${String(bits.length)} values in ${String(count)} rows`,
      expected: `${String(dimensions)} in each, as the model has columns`,
      where: ROWS,
      remedy: 'Give all columns of the model, in its order.',
    });
  const values = BitMatrix.create(count, dimensions, { names, shape });
  const known = BitMatrix.create(count, dimensions);
  for (let row = 0; row < count; row++)
    for (let column = 0; column < dimensions; column++) {
      const bit = bits[row * dimensions + column]!;
      if (bit === MISSING_BIT) continue;
      if (bit > MISSING_BIT)
        throw new DatasetError('value', {
          got: String(bit),
          expected: '0, 1, or 2 for a missing value',
          where: `${ROWS}, row ${String(row + 1)}, column ${String(column + 1)}`,
          remedy: 'Make the values binary first.',
        });
      known.set(row, column, 1);
      if (bit === 1) values.set(row, column, 1);
    }
  return bitTable(values, ROWS, bits.includes(MISSING_BIT) ? known : undefined);
}
