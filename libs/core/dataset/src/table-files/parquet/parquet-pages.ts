import type { ColumnMetaData, PageHeader, SchemaTree } from 'hyparquet';
import { DatasetError, quote } from '../../errors.js';
import type { RawColumn } from '../raw-column.js';
import type { RawCell } from '../raw-table.js';
import { decodedElement, type ParquetColumn } from './parquet-columns.js';

/** Enough for the head of a page whose statistics are not long texts. */
const HEAD_BYTES = 1 << 10;
/** A page is the least that can be unpacked: larger ones would not be bounded memory. Writers make pages of 1 MB. */
const MOST_PAGE_BYTES = 2 ** 26;
const MOST_PAGE_VALUES = 2 ** 21;

/** What pages and dictionaries of all columns may hold at a time, where no less is said. */
const MOST_HELD_BYTES = 2 ** 31;
/** A value that was unpacked is no less, however few bytes it came from. */
const VALUE_BYTES = 8;

/**
 * Counts what is unpacked of a file at a time, over all of its columns: many large pages are as much as one that is too
 * large.
 */
export class HeldPages {
  readonly #most: number;
  #bytes = 0;

  constructor(most = MOST_HELD_BYTES) {
    this.#most = Math.min(most, MOST_HELD_BYTES);
  }

  /** @throws DatasetError `limit`, before the bytes are taken, where they are too many */
  hold(bytes: number, instead: number, where: string): void {
    this.#bytes += bytes - instead;
    if (this.#bytes <= this.#most) return;
    throw new DatasetError('limit', {
      got: `pages that unpack to more than ${this.#most} bytes in the columns up to here`,
      expected: `at most ${this.#most} bytes, of all columns together`,
      where,
      remedy: 'Write the file anew in smaller pieces: df.to_parquet("table.parquet", row_group_size=10_000).',
    });
  }
}

/** Reads bytes `start ... end - 1` of the file into a buffer of their own. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;

/** What decodes pages, loaded when the first file asks for it. */
export async function loadDecoder() {
  const { parquetHeader, readPage } = await import('hyparquet/src/column.js');
  const { convert, DEFAULT_PARSERS } = await import('hyparquet/src/convert.js');
  const { compressors } = await import('hyparquet-compressors');
  return { parquetHeader, readPage, convert, parsers: DEFAULT_PARSERS, compressors };
}
export type Decoder = Awaited<ReturnType<typeof loadDecoder>>;

/** A page of values, decoded: numbers, cells, or places in {@link words}. */
interface Page {
  readonly cells: Float64Array | readonly RawCell[] | Uint8Array | Uint16Array | Uint32Array;
  /** What the places stand for, a missing value first; null where the cells stand for themselves. */
  readonly words: readonly RawCell[] | null;
}

/** The cells of one column in a row group, read from front to back. Memory is a page and the dictionary. */
export class ParquetPages {
  readonly #end: number;
  #offset: number;
  #page: Page = { cells: [], words: null };
  /** Rows of {@link #page} that were taken. */
  #taken = 0;
  #words: RawCell[] = [];
  /** What the dictionary and the page take of {@link HeldPages}. */
  readonly #held = { dictionary: 0, page: 0 };
  /** 0, 1, 2, ...: a dictionary by which pages are decoded to places. */
  #places = new Uint32Array(0);

  constructor(
    private readonly decoder: Decoder,
    private readonly read: ReadBytes,
    private readonly where: string,
    private readonly column: ParquetColumn,
    private readonly chunk: ColumnMetaData,
    private readonly path: SchemaTree[],
    private readonly held: HeldPages,
  ) {
    const data = Number(chunk.data_page_offset);
    const dictionary = Number(chunk.dictionary_page_offset ?? 0n);
    this.#offset = dictionary > 0 && dictionary < data ? dictionary : data;
    this.#end = this.#offset + Number(chunk.total_compressed_size);
  }

  /** The cells of the next rows. */
  async take(rows: number): Promise<RawColumn> {
    const whole: RawCell[] = [];
    for (;;) {
      const { cells, words } = this.#page;
      const from = this.#taken;
      const to = Math.min(cells.length, from + rows - whole.length);
      this.#taken = to;
      if (cells instanceof Float64Array && to - from === rows) return cells.subarray(from, to);
      for (let row = from; row < to; row++)
        whole.push(words === null ? numberOrCell(cells[row]!) : words[cells[row] as number]!);
      if (whole.length === rows) return whole;
      this.#page = await this.#next();
      this.#taken = 0;
    }
  }

  /** The next page of values; what stands before it is the dictionary. */
  async #next(): Promise<Page> {
    for (;;) {
      if (this.#offset >= this.#end) throw new RangeError(`${quote(this.column.name)} has fewer rows than the others`);
      const { header, headBytes } = await this.#head();
      correctCompression(header);
      this.#checkSize(header);
      this.#hold(header);
      const from = this.#offset + headBytes;
      this.#offset = from + header.compressed_page_size;
      if (header.compressed_page_size < 0 || this.#offset > this.#end) throw new RangeError('a page ends too late');
      const reader = { view: new DataView((await this.read(from, this.#offset)).buffer), offset: 0 };
      const { readPage, convert } = this.decoder;
      const decoder = this.#columnDecoder();
      if (header.type === 'DICTIONARY_PAGE') {
        const { data = [] } = readPage(reader, header, decoder, undefined, undefined, 0);
        const { cellOf } = this.column;
        this.#words = [null, ...Array.from(convert(data, decoder), cellOf)];
        this.#places = Uint32Array.from({ length: this.#words.length - 1 }, (_, place) => place);
        continue;
      }
      const { encoding } = header.data_page_header ?? header.data_page_header_v2 ?? {};
      const isOfPlaces = encoding?.endsWith('_DICTIONARY') === true;
      const { data = [] } = readPage(reader, header, decoder, isOfPlaces ? this.#places : undefined, undefined, 0);
      if (data.length === 0) continue;
      return isOfPlaces ? placesOf(data, this.#words) : { cells: cellsOf(data, this.column.cellOf), words: null };
    }
  }

  async #head(): Promise<{ readonly header: PageHeader; readonly headBytes: number }> {
    for (let bytes = HEAD_BYTES; ; bytes *= 16) {
      const end = Math.min(this.#end, this.#offset + bytes);
      const reader = { view: new DataView((await this.read(this.#offset, end)).buffer), offset: 0 };
      try {
        return { header: this.decoder.parquetHeader(reader), headBytes: reader.offset };
      } catch (error) {
        if (end === this.#end || bytes > MOST_PAGE_BYTES) throw error;
      }
    }
  }

  #columnDecoder(): Parameters<Decoder['readPage']>[2] {
    const { compressors, parsers } = this.decoder;
    const { element } = this.path.at(-1)!;
    return {
      pathInSchema: this.chunk.path_in_schema,
      type: this.chunk.type,
      codec: this.chunk.codec,
      element: decodedElement(element),
      // of decimals bytes are no text
      utf8: element.converted_type !== 'DECIMAL',
      schemaPath: this.path,
      parsers: { ...parsers, ...this.column.parsers },
      compressors,
    };
  }

  #hold({ type, uncompressed_page_size: bytes, ...heads }: PageHeader): void {
    const { dictionary_page_header, data_page_header, data_page_header_v2 } = heads;
    const values = (dictionary_page_header ?? data_page_header ?? data_page_header_v2)?.num_values ?? 0;
    const taken = Math.max(bytes, values * VALUE_BYTES);
    const place = type === 'DICTIONARY_PAGE' ? 'dictionary' : 'page';
    this.held.hold(taken, this.#held[place], `${this.where}, column ${quote(this.column.name)}`);
    this.#held[place] = taken;
  }

  /** What is held gives its place back, once the row group was read. */
  release(): void {
    this.held.hold(0, this.#held.dictionary + this.#held.page, this.where);
    this.#held.dictionary = 0;
    this.#held.page = 0;
  }

  #checkSize({ uncompressed_page_size: bytes, data_page_header, data_page_header_v2 }: PageHeader): void {
    const values = (data_page_header ?? data_page_header_v2)?.num_values ?? 0;
    if (bytes <= MOST_PAGE_BYTES && values <= MOST_PAGE_VALUES) return;
    throw new DatasetError('limit', {
      got: `a page of ${values > MOST_PAGE_VALUES ? `${values} values` : `${bytes} bytes`}, which can only be unpacked as a whole`,
      expected: `pages of at most ${MOST_PAGE_VALUES} values and ${MOST_PAGE_BYTES} bytes`,
      where: `${this.where}, column ${quote(this.column.name)}`,
      remedy: 'Write the file anew in smaller pieces: df.to_parquet("table.parquet", row_group_size=100_000).',
    });
  }
}

/**
 * Pages of version 2 say whether their values are compressed. parquet-cpp before 3.0 said that they are not where they
 * are; a page without values has nothing to unpack, whatever it says.
 */
export function correctCompression({ data_page_header_v2: head, ...sizes }: PageHeader): void {
  if (head === undefined) return;
  const levels = head.repetition_levels_byte_length + head.definition_levels_byte_length;
  const isPacked = sizes.compressed_page_size !== sizes.uncompressed_page_size;
  head.is_compressed = sizes.compressed_page_size > levels && (isPacked || head.is_compressed !== false);
}

/** In an array of numbers a missing value is NaN. */
function numberOrCell(cell: RawCell): RawCell {
  return typeof cell === 'number' && Number.isNaN(cell) ? null : cell;
}

/** Cells as they are, numbers alone as numbers. */
function cellsOf(values: ArrayLike<unknown>, cellOf: (value: unknown) => RawCell): Page['cells'] {
  const numbers = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const cell = cellOf(values[row]);
    if (cell !== null && typeof cell !== 'number') return Array.from(values, cellOf);
    numbers[row] = cell ?? NaN;
  }
  return numbers;
}

/**
 * Places in the dictionary, in as few bytes as distinguish them: one more than those of the page, 0 for a missing
 * value.
 */
function placesOf(values: ArrayLike<unknown>, words: readonly RawCell[]): Page {
  const Places = words.length <= 2 ** 8 ? Uint8Array : words.length <= 2 ** 16 ? Uint16Array : Uint32Array;
  const cells = new Places(values.length);
  for (let row = 0; row < values.length; row++) {
    const place = values[row] as number | null | undefined;
    if (place === undefined) throw new RangeError('a value that its dictionary has not');
    cells[row] = place === null ? 0 : place + 1;
  }
  return { cells, words };
}
