import { arrangedIn, type ArrangementOptions, type Splits, type TrainingDataHandle } from './arrangement.js';
import { KernelError } from './errors.js';
import { FieldMemory } from './field-memory.js';
import { kernelOn, StateView } from './kernel-module.js';
import { place } from './layout.js';

/** Rows by split. */
export const Split = { train: 0, valid: 1, test: 2 } as const;

/**
 * The rows of all splits, arranged for training and shared by all threads in one WebAssembly memory that is sized here
 * and never grows; where that is too small for all threads, in several, each of which has the rows.
 *
 * Rows are sorted lexicographically (in the ordering), so rows that agree in the first d dimensions are neighbours for
 * every d: each conditional finds its distinct predictor rows by one pass over `sharedBits`.
 */
export class TrainingData {
  /** Packed rows, or one byte a field, `stride` bytes each, sorted. */
  readonly rows: Uint8Array;
  /** How many leading bits a row shares with the one before it; of a table's rows those of whole fields. */
  readonly sharedBits: Uint32Array;
  readonly dimensions: number;
  /** Rows of all splits. */
  readonly rowCount: number;
  /** N of the grid: the rows in training. */
  readonly trainingRows: number;
  readonly validationRows: number;
  readonly testRows: number;
  /** How often a training row stands, one after another; 1 where rows do not weigh. */
  readonly repeats: number;
  readonly #splits: Uint8Array;
  /** What validation rows count as. */
  readonly #validation: number;
  /** Null where rows are bits. */
  readonly #fields: FieldMemory | null;

  private constructor(
    readonly handle: TrainingDataHandle,
    /** Among those of its memory. */
    readonly thread: number,
  ) {
    const { memory, layout, stride, rowCounts, pooled } = handle;
    const [train, valid, test] = rowCounts;
    const count = train + valid + test;
    // not read from the handle, of which there are several kinds: compiled code would be thrown away for each
    this.dimensions = handle.dimensions;
    this.rowCount = count;
    this.trainingRows = pooled ? train + valid : train;
    this.validationRows = pooled ? 0 : valid;
    this.testRows = test;
    this.repeats = handle.repeats;
    this.#validation = pooled ? Split.train : Split.valid;
    this.rows = new Uint8Array(memory.buffer, layout.rows, count * stride);
    this.sharedBits = new Uint32Array(memory.buffer, layout.sharedBits, count);
    this.#splits = new Uint8Array(memory.buffer, layout.splits, count);
    // every workspace knows where fields lie
    this.#fields =
      handle.fields === 0 ? null : new FieldMemory(memory, kernelOn(memory), layout.workspaces[0]!, handle);
  }

  /**
   * Sorts the rows and sizes one workspace a thread.
   *
   * @param splits matrices of equal dimensions, columns already in the ordering
   * @throws KernelError where one thread takes more than a memory can hold (`threadsThatFit` says beforehand), there
   *   are no rows or the splits do not match
   */
  static arrange(splits: Splits, options: ArrangementOptions): TrainingData {
    return new TrainingData(arrangedIn(splits, options), 0);
  }

  /** The same data as seen by the thread of that number, 0 to `threads` - 1; no two threads may share a number. */
  static attach(handle: TrainingDataHandle, thread: number): TrainingData {
    const memories = [handle, ...handle.copies];
    let own = thread;
    for (const { memory, layout } of memories) {
      const threads = layout.workspaces.length;
      if (own >= 0 && own < threads) return new TrainingData({ ...handle, memory, layout }, own);
      own -= threads;
    }
    throw new KernelError('This thread has no workspace', {
      code: 'bad-data',
      got: `thread ${thread}`,
      expected: `0 to ${memories.reduce((sum, { layout }) => sum + layout.workspaces.length, 0) - 1}`,
      remedy: 'Arrange the data for as many threads as will train.',
    });
  }

  /** The same memory with the validation rows counted as training rows (refit, paper §4.5). */
  pooled(): TrainingData {
    return new TrainingData({ ...this.handle, pooled: true }, this.thread);
  }

  /** The bit of the sorted row `row` at ordering position `position`: a column's, or a predictor's of a table. */
  bit(row: number, position: number): 0 | 1 {
    const fields = this.#fields;
    if (fields !== null) return fields.bit(position, this.rows[row * this.handle.stride + fields.fieldOf(position)]!);
    return ((this.rows[row * this.handle.stride + (position >> 3)]! >> (7 - (position & 7))) & 1) as 0 | 1;
  }

  /** Which split the sorted row belongs to: 0 training, 1 validation, 2 test. */
  splitOf(row: number): number {
    const split = this.#splits[row]!;
    return split === Split.valid ? this.#validation : split;
  }

  /**
   * From where to where (exclusive) columns are summed by one addition a row, one such range after another; none where
   * that is done byte by byte. Whichever it is, trees are the same.
   */
  groups(): { readonly start: number; readonly end: number }[] {
    const { memory, layout } = this.handle;
    const exported = kernelOn(memory).layout;
    const state = new StateView(memory, layout.workspaces[0]!, exported);
    const at = state.get('GROUPS');
    const [count] = new Uint32Array(memory.buffer, at, 1);
    return Array.from({ length: count! }, (_, group) => {
      const [start, end] = new Uint32Array(memory.buffer, at + exported.GROUPS_HEAD + group * exported.GROUP_BYTES, 2);
      return { start: start!, end: end! };
    });
  }

  /** How many training rows have a 1 at `position`. */
  trainingOnes(position: number): number {
    const splits = this.#splits;
    const lastTraining = this.handle.pooled ? Split.valid : Split.train;
    let ones = 0;
    for (let row = 0; row < splits.length; row++) if (splits[row]! <= lastTraining) ones += this.bit(row, position);
    return ones;
  }

  /**
   * How many training rows of bits have a 1 at each of the first positions; with `where`, of those rows that have that
   * value there. A conditional that this thread trains is lost: its memory is used.
   */
  trainingOnesOf(positions: number, where?: { readonly position: number; readonly value: 0 | 1 }): Uint32Array {
    const { memory, layout, pooled } = this.handle;
    const kernel = kernelOn(memory);
    const address = layout.workspaces[this.thread]!;
    place(kernel, address, this.handle);
    kernel.countOnes(address, where?.position ?? 0, where?.value ?? ANY_VALUE, positions, pooled ? 1 : 0);
    const scores = new StateView(memory, address, kernel.layout).get('SCORES');
    const counts = new Uint32Array(memory.buffer, scores, Math.ceil(positions / 128) * 128);
    const ones = new Uint32Array(positions);
    // as the kernel has them: vectors of 128 positions, in each by bit and then by byte
    for (let at = 0; at < positions; at++) ones[at] = counts[(at & ~127) + ((at & 7) << 4) + ((at >> 3) & 15)]!;
    return ones;
  }
}

/** To the kernel: rows are counted whatever their value. */
const ANY_VALUE = 2;
