import { dirname } from 'node:path';
import { HEADER_BYTES, parseHead, type BitMatrix, type LayoutHead } from '@orchard/dataset';
import { artefactNames, loadDataset } from '@orchard/pipeline';
import type { ByteRange, ObjectStore } from '@orchard/storage';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { storeBeside } from './store-beside.js';
import { summaryIn } from './summary-in.js';

const PIECE_BYTES = 2 ** 20;

/**
 * Finds out whether rows, read part by part, are those that trained a model: whether they hold all of its training
 * rows, in their order. The rows are compared as the model reads them, so that a file is recognised in any format.
 * The stored training rows are read in pieces, the next one when all rows of the last were met: where other rows are
 * compared with them, only the first piece is read.
 */
export class TrainingRowsFinder {
  /** Training rows that were met so far. */
  #met = 0;
  /** The stored training rows from number {@link #from} on. */
  #piece = new Uint8Array(0);
  #from = 0;

  private constructor(
    private readonly head: LayoutHead,
    private readonly read: (range: ByteRange) => Promise<Uint8Array<ArrayBuffer>>,
    private readonly pieceBytes: number,
    /** Rows of the run that chose and trained nothing; null without any. */
    readonly testRows: number | null,
  ) {}

  /**
   * Of the model in this file; null where the file does not lie in the folder of its run.
   *
   * @param pieceBytes the size of a piece of the stored rows
   */
  static async beside(networkFile: string, pieceBytes = PIECE_BYTES): Promise<TrainingRowsFinder | null> {
    try {
      const stored = await storedRowsBeside(networkFile);
      if (stored === null) return null;
      const name = artefactNames.dataset(stored.id);
      const read = (range: ByteRange): Promise<Uint8Array<ArrayBuffer>> => stored.store.get(name, range);
      const head = parseHead(await read({ start: 0, end: HEADER_BYTES }));
      return new TrainingRowsFinder(head, read, pieceBytes, stored.testRows);
    } catch {
      // what cannot be read of a run keeps nothing from being scored
      return null;
    }
  }

  async see({ rows, dimensions, stride, bytes }: BitMatrix): Promise<void> {
    if (dimensions !== this.head.dimensions || stride !== this.head.stride) return;
    let row = 0;
    while (row < rows && !this.hasMetAll) {
      if (this.#met === this.#end) await this.#readNext();
      row = this.#meet(rows, bytes, row);
    }
  }

  /**
   * Looks for the training rows of the piece among these rows.
   *
   * @returns `rows`, or the row that met the last training row of the piece: it may meet the first of the next one too
   */
  #meet(rows: number, bytes: Uint8Array, first: number): number {
    const { stride } = this.head;
    const end = this.#end;
    for (let row = first; row < rows; row++)
      // a row of weight 3 is stored three times, and stands once in the file
      while (this.#isNext(bytes, row * stride)) {
        this.#met++;
        if (this.#met === end) return row;
      }
    return rows;
  }

  /** Whether the row whose bytes begin here is the training row that is met next. */
  #isNext(bytes: Uint8Array, here: number): boolean {
    const { stride } = this.head;
    const there = (this.#met - this.#from) * stride;
    let at = 0;
    while (at < stride && bytes[here + at] === this.#piece[there + at]) at++;
    return at === stride;
  }

  async #readNext(): Promise<void> {
    const { rows, stride, bitsOffset } = this.head;
    this.#from = this.#met;
    const count = Math.min(rows - this.#from, Math.max(1, Math.floor(this.pieceBytes / stride)));
    const start = bitsOffset + this.#from * stride;
    try {
      this.#piece = await this.read({ start, end: start + count * stride });
    } catch {
      // no row is met in it
      this.#piece = new Uint8Array(0);
    }
  }

  /** The number of the first training row after the piece. */
  get #end(): number {
    return this.#from + this.#piece.length / this.head.stride;
  }

  get hasMetAll(): boolean {
    return this.#met === this.head.rows;
  }
}

/** Where the training rows of the model in this file are stored; null where it lies in no folder of its run. */
async function storedRowsBeside(
  networkFile: string,
): Promise<{ store: ObjectStore; id: string; testRows: number | null } | null> {
  const summary = await summaryIn(dirname(networkFile));
  const store = await storeBeside(networkFile);
  if (summary === null || store === null) return null;
  const { sha256, rows } = summary.dataset;
  return { store, id: sha256, testRows: rows.test };
}

/** The training rows of the model in this file; null where it does not lie in the folder of its run. */
export async function trainingRowsBeside(networkFile: string): Promise<BitMatrix | null> {
  try {
    const stored = await storedRowsBeside(networkFile);
    return stored === null ? null : await loadDataset(stored.store, stored.id);
  } catch {
    // what cannot be read of a run keeps nothing from being scored
    return null;
  }
}

/** Warns where rows are judged by a model that learned from them. @param withScores whether outliers are asked for */
export function warnOfTrainingRows(
  finder: TrainingRowsFinder | null,
  file: string,
  withScores: boolean,
  terminal: Terminal,
): void {
  if (finder?.hasMetAll !== true) return;
  const { testRows } = finder;
  const others =
    testRows === null
      ? 'train with --test-fraction 0.1 for figures of rows that it never saw.'
      : `see what \`orchard inspect\` says of the ${counted(testRows, 'test row')} of its run.`;
  const advice = withScores
    ? `so their scores are too low. \`orchard outliers ${file}\` scores each row by a model that did not learn from it.`
    : `so they are too likely by it. Give others, or ${others}`;
  terminal.note(`orchard: the model learned from these rows, ${advice}`);
}
