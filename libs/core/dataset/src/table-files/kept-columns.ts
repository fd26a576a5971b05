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
 * The same table, whose text is cut into cells once: the first pass keeps them as columns of numbers and places, and
 * those that follow read these. Memory is bounded: what is much lies in a temporary file. Typed files are read anew
 * each time, which costs no more.
 */
export function keptTable(raw: RawTable): KeptTable {
  if (!TEXTS.has(raw.format)) return { ...raw, discard: () => Promise.resolve() };
  const columns = new KeptColumns(raw.name);
  return {
    ...raw,
    batches: (asked) => (columns.isWhole ? columns.batches(asked) : columns.keep(raw.batches())),
    discard: () => columns.remove(),
  };
}

/** Bytes that are written and read at a time. */
const BLOCK_BYTES = 2 ** 20;

const Kind = { cells: 0, float64: 1, repeated: 2, numbers: 3 } as const;
/** Of a column in a batch: its kind, and how many bytes follow. */
const HEAD = 8;

/** Consecutive batches, and how many rows each has. */
interface Block {
  /** Null where they are in the file. */
  bytes: Uint8Array | null;
  readonly size: number;
  readonly rows: readonly number[];
}

/** Columns of cells that come once, batch by batch, and are read again and again. */
export class KeptColumns {
  /** Whether all rows are here. */
  isWhole = false;
  readonly #spool: Spool;
  #blocks: Block[] = [];
  #bytes = 0;
  /** The block that is being filled. */
  #open = new Uint8Array(0);
  #used = 0;
  #rows: number[] = [];
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
      batch.columns.forEach((column, index) => {
        this.#add(column, index);
      });
      this.#rows.push(batch.rows);
      if (this.#used >= BLOCK_BYTES) await this.#endBlock();
      yield batch;
    }
    await this.#endBlock();
    this.#open = new Uint8Array(0);
    this.isWhole = true;
  }

  async *batches(needed?: ReadonlySet<number>): AsyncGenerator<RawBatch, void> {
    const columns = this.#words.length;
    let from = 0;
    for (const { bytes, size, rows } of this.#blocks) {
      const block = bytes ?? (await this.#read(from, size));
      let at = 0;
      for (const count of rows) {
        const batch: RawColumn[] = [];
        for (let index = 0; index < columns; index++) {
          const part = partAt(block, at);
          batch.push(needed?.has(index) === false ? [] : this.#columnOf(block[at]!, part, count, index));
          at = aligned(at + HEAD + part.length);
        }
        yield { rows: count, columns: batch };
      }
      from += size;
    }
  }

  async remove(): Promise<void> {
    this.isWhole = false;
    this.#blocks = [];
    this.#rows = [];
    this.#open = new Uint8Array(0);
    this.#bytes = 0;
    this.#used = 0;
    this.#words = [];
    await this.#file?.close();
    this.#file = null;
    await this.#spool.remove();
  }

  async #endBlock(): Promise<void> {
    if (this.#rows.length === 0) return;
    const bytes = this.#open.slice(0, this.#used);
    this.#blocks.push({ bytes, size: bytes.length, rows: this.#rows });
    this.#rows = [];
    this.#used = 0;
    this.#bytes += bytes.length;
    if (this.#file === null && this.#bytes <= KEPT_IN_MEMORY) return;
    this.#file ??= await this.#spool.create();
    for (const block of this.#blocks) {
      if (block.bytes !== null) await this.#spool.write(this.#file, block.bytes);
      block.bytes = null;
    }
  }

  #add(column: RawColumn, index: number): void {
    this.#words[index] ??= [];
    if (column instanceof RepeatedCells) {
      this.#words[index] = column.words;
      this.#append(Kind.repeated, bytesOf(column.places));
    } else if (column instanceof NumberCells) this.#append(Kind.numbers, bytesOf(column.numbers), column.decimals);
    else if (column instanceof Float64Array) this.#append(Kind.float64, bytesOf(column));
    else if (column.length === 0) this.#append(Kind.cells);
    else {
      const cells = Array.from({ length: column.length }, (_, row) => column.at(row) ?? null);
      this.#append(Kind.cells, Buffer.from(JSON.stringify(cells)));
    }
  }

  #append(kind: number, ...parts: readonly Uint8Array[]): void {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const end = aligned(this.#used + HEAD + length);
    if (end > this.#open.length) {
      const wider = new Uint8Array(Math.max(end, 2 * this.#open.length, BLOCK_BYTES));
      wider.set(this.#open.subarray(0, this.#used));
      this.#open = wider;
    }
    this.#open[this.#used] = kind;
    new DataView(this.#open.buffer).setUint32(this.#used + 4, length, true);
    let at = this.#used + HEAD;
    for (const part of parts) {
      this.#open.set(part, at);
      at += part.length;
    }
    this.#used = end;
  }

  /** A view of what is kept. */
  #columnOf(kind: number, part: Uint8Array, rows: number, index: number): RawColumn {
    const { buffer, byteOffset } = part;
    switch (kind) {
      case Kind.repeated:
        return new RepeatedCells(this.#words[index]!, new Uint16Array(buffer, byteOffset, rows));
      case Kind.numbers:
        return new NumberCells(new Float64Array(buffer, byteOffset, rows), part.subarray(8 * rows));
      case Kind.float64:
        return new Float64Array(buffer, byteOffset, part.length / 8);
      default:
        return part.length === 0 ? [] : (JSON.parse(new TextDecoder().decode(part)) as RawCell[]);
    }
  }

  async #read(from: number, size: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(size);
    const { bytesRead } = await this.#file!.read(bytes, 0, size, from);
    if (bytesRead < size) throw new RangeError('a temporary file was cut short');
    return bytes;
  }
}

/** The bytes of a column, whose head is at that place of a block. */
function partAt(block: Uint8Array, at: number): Uint8Array {
  const length = new DataView(block.buffer, block.byteOffset).getUint32(at + 4, true);
  return block.subarray(at + HEAD, at + HEAD + length);
}

/** The next place at which a number may lie. */
function aligned(at: number): number {
  return Math.ceil(at / 8) * 8;
}

function bytesOf(numbers: Float64Array | Uint16Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
