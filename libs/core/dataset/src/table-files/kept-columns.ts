import type { FileHandle } from 'node:fs/promises';
import { Spool } from '../reading/spool.js';
import { NumberCells, RepeatedCells, type RawColumn } from './raw-column.js';
import type { RawBatch, RawCell, RawTable } from './raw-table.js';

/** What is kept in memory; beyond it all goes to a temporary file. */
const KEPT_IN_MEMORY = 2 ** 23;

/** Formats whose cells are cut from text: to read one again takes longer than to read what was made of it. */
const TEXTS: ReadonlySet<string> = new Set(['csv', 'jsonl', 'libsvm']);

export interface KeptTable extends RawTable {
  /** Lets go of what was kept; the table itself stays open. */
  discard(): Promise<void>;
}

/**
 * The same table, whose text is cut into cells once: the first pass keeps them as columns of numbers and places, and those that follow read
 * these. Memory is bounded: what is much lies in a temporary file. Typed files are read anew each time, which costs no more.
 *
 * @param needed the columns that any pass will ask for. @default all
 */
export function keptTable(raw: RawTable, needed?: ReadonlySet<number>): KeptTable {
  if (!TEXTS.has(raw.format)) return { ...raw, discard: () => Promise.resolve() };
  const columns = new KeptColumns(raw.name);
  return {
    ...raw,
    batches: (asked) => (columns.isWhole ? columns.batches(asked) : columns.keep(raw.batches(needed))),
    discard: () => columns.remove(),
  };
}

const Kind = { cells: 0, float64: 1, repeated: 2, numbers: 3 } as const;
/** Of a column in a batch: its kind, and how many bytes follow. */
const HEAD = 8;

class KeptColumns {
  /** Whether all rows are here. */
  isWhole = false;
  readonly #spool: Spool;
  /** Batches, one after another; those that are in the file are null. */
  readonly #batches: (Buffer | null)[] = [];
  readonly #sizes: number[] = [];
  readonly #rows: number[] = [];
  #bytes = 0;
  /** The words of the repeated cells of each column, which its batches share. */
  #words: (readonly RawCell[])[] = [];
  #file: FileHandle | null = null;

  constructor(name: string) {
    this.#spool = new Spool(name);
  }

  /** Keeps batches as they pass. A pass that was not read to its end keeps nothing. */
  async *keep(batches: AsyncIterable<RawBatch>): AsyncGenerator<RawBatch, void> {
    await this.remove();
    for await (const batch of batches) {
      await this.#add(batch);
      yield batch;
    }
    this.isWhole = true;
  }

  async *batches(needed?: ReadonlySet<number>): AsyncGenerator<RawBatch, void> {
    let from = 0;
    for (let i = 0; i < this.#batches.length; i++) {
      const size = this.#sizes[i]!;
      const bytes = this.#batches[i] ?? (await this.#read(from, size));
      yield { rows: this.#rows[i]!, columns: this.#columnsOf(bytes, this.#rows[i]!, needed) };
      from += size;
    }
  }

  async remove(): Promise<void> {
    this.isWhole = false;
    this.#batches.length = this.#sizes.length = this.#rows.length = 0;
    this.#bytes = 0;
    this.#words = [];
    await this.#file?.close();
    this.#file = null;
    await this.#spool.remove();
  }

  async #add({ rows, columns }: RawBatch): Promise<void> {
    const parts = columns.flatMap((column, index) => this.#partsOf(column, index));
    const bytes = Buffer.concat(parts);
    this.#rows.push(rows);
    this.#sizes.push(bytes.length);
    this.#bytes += bytes.length;
    if (this.#file === null && this.#bytes <= KEPT_IN_MEMORY) {
      this.#batches.push(bytes);
      return;
    }
    if (this.#file === null) {
      this.#file = await this.#spool.create();
      const before = this.#batches.map((batch) => batch!);
      this.#batches.fill(null);
      for (const batch of before) await this.#spool.write(this.#file, batch);
    }
    this.#batches.push(null);
    await this.#spool.write(this.#file, bytes);
  }

  #partsOf(column: RawColumn, index: number): Uint8Array[] {
    if (column instanceof RepeatedCells) {
      this.#words[index] = column.words;
      return headed(Kind.repeated, bytesOf(column.places));
    }
    if (column instanceof NumberCells) return headed(Kind.numbers, bytesOf(column.numbers), column.decimals);
    if (column instanceof Float64Array) return headed(Kind.float64, bytesOf(column));
    if (column.length === 0) return headed(Kind.cells);
    return headed(
      Kind.cells,
      Buffer.from(JSON.stringify(Array.from({ length: column.length }, (_, row) => column.at(row) ?? null))),
    );
  }

  #columnsOf(bytes: Buffer, rows: number, needed: ReadonlySet<number> | undefined): RawColumn[] {
    const columns: RawColumn[] = [];
    for (let at = 0; at < bytes.length;) {
      const length = bytes.readUInt32LE(at + 4);
      const from = at + HEAD;
      const part = bytes.subarray(from, from + length);
      columns.push(needed?.has(columns.length) === false ? [] : this.#columnOf(bytes[at]!, part, rows, columns.length));
      at = from + length;
    }
    return columns;
  }

  #columnOf(kind: number, part: Buffer, rows: number, index: number): RawColumn {
    switch (kind) {
      case Kind.repeated:
        return new RepeatedCells(this.#words[index]!, new Uint16Array(copyOf(part, 0, 2 * rows)));
      case Kind.numbers:
        return new NumberCells(new Float64Array(copyOf(part, 0, 8 * rows)), part.subarray(8 * rows));
      case Kind.float64:
        return new Float64Array(copyOf(part, 0, part.length));
      default:
        return part.length === 0 ? [] : (JSON.parse(part.toString('utf8')) as RawCell[]);
    }
  }

  async #read(from: number, size: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(size);
    const { bytesRead } = await this.#file!.read(bytes, 0, size, from);
    if (bytesRead < size) throw new RangeError('a temporary file was cut short');
    return bytes;
  }
}

function headed(kind: number, ...parts: readonly Uint8Array[]): Uint8Array[] {
  const head = Buffer.alloc(HEAD);
  head[0] = kind;
  head.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  return [head, ...parts];
}

function bytesOf(numbers: Float64Array | Uint16Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** A buffer of its own, at whose beginning numbers may lie. */
function copyOf(bytes: Uint8Array, from: number, to: number): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset + from, bytes.byteOffset + to) as ArrayBuffer;
}
