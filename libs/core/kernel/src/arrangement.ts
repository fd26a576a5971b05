import type { BitMatrix, FieldRows } from '@orchard/dataset';
import { KernelError } from './errors.js';
import { writeFields } from './field-memory.js';
import { kernelOn, StateView } from './kernel-module.js';
import { layoutsOf, MOST_BYTES, PAGE_BYTES, place, sizingOf, type Layout, type Sizing } from './layout.js';
import { rowRepeats } from './row-repeats.js';
import { checkSplits, type MatrixSize, type SplitSizes } from './split-sizes.js';
import { tooLarge, type MemoryOptions } from './threads-that-fit.js';
import type { TrainingData } from './training-data.js';

/** Rows of bits (a `BitMatrix`), or rows of a table's fields (`FieldRows`): all splits are of one kind. */
export interface Splits extends SplitSizes {
  readonly train: Rows;
  readonly valid: Rows | null;
  readonly test: Rows | null;
}

type Rows = MatrixSize & Pick<BitMatrix | FieldRows, 'bytes'>;

export interface ArrangementOptions extends MemoryOptions {
  /**
   * Whether a row of a table stands as often as it weighs, one after another. Equal neighbours of a file that is sorted
   * are rows of their own.
   *
   * @default false
   */
  readonly areWeighed?: boolean | undefined;
  /**
   * Data that are no longer trained on: their memories are taken where they have the sizes that are needed, so that one
   * arrangement after another needs neither new memories nor new instances of the kernel.
   *
   * @default memories of its own
   */
  readonly into?: TrainingData | undefined;
}

/** A memory, and where things lie in it. */
interface LaidOut {
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
}

/** All that another thread needs to see the same data; can be posted to it. */
export interface TrainingDataHandle extends Sizing, LaidOut {
  /** The same rows for more threads, where one memory is too small for all. */
  readonly copies: readonly LaidOut[];
  readonly pooled: boolean;
  /** How often a training row stands, as {@link rowRepeats} has it; 1 where rows do not weigh. */
  readonly repeats: number;
}

/** Lays the rows out in memories that are sized for them, sorts them there, and copies them to where they lie again. */
export function arrangedIn(
  splits: Splits,
  { threads, into, memoryBytes, areWeighed = false, ...of }: ArrangementOptions,
): TrainingDataHandle {
  checkSplits(splits);
  const sizing = sizingOf(splits, of);
  const layouts = layoutsOf(sizing, threads, memoryBytes);
  if (layouts[0]!.bytes > (memoryBytes ?? MOST_BYTES)) throw tooLarge(splits, { ...of, threads: 1 });
  const memories = memoriesFor(layouts, into);
  const [first, ...copies] = layouts.map((layout, at) => placed(memories[at]!, layout, sizing));
  const { memory, layout } = first!;
  sortRows(memory, layout, splits, sizing);
  // all before the first workspace is the rows, and what is known of them
  const arranged = new Uint8Array(memory.buffer, 0, layout.workspaces[0]);
  for (const copy of copies) new Uint8Array(copy.memory.buffer, 0, arranged.length).set(arranged);
  return {
    memory,
    layout,
    copies,
    ...sizing,
    pooled: false,
    repeats: areWeighed ? repeatsOf(splits, first!, sizing) : 1,
  };
}

function repeatsOf({ train }: Splits, { memory, layout }: LaidOut, { stride, rowCounts }: Sizing): number {
  return rowRepeats({ bytes: train.bytes, stride }, () => {
    const all = rowCounts[0] + rowCounts[1] + rowCounts[2];
    const splits = new Uint8Array(memory.buffer, layout.splits, all);
    const rows = new Uint8Array(memory.buffer, layout.rows, all * stride);
    const bytes = new Uint8Array(rowCounts[0] * stride);
    let end = 0;
    for (let row = 0; row < all; row++) {
      if (splits[row] !== 0) continue;
      bytes.set(rows.subarray(row * stride, (row + 1) * stride), end);
      end += stride;
    }
    return { bytes, stride };
  });
}

/** Those of other data where they have the sizes that are needed, or new ones. */
function memoriesFor(layouts: readonly Layout[], into: TrainingData | undefined): readonly WebAssembly.Memory[] {
  const known = into === undefined ? [] : [into.handle, ...into.handle.copies];
  const isKnown =
    known.length === layouts.length && layouts.every(({ bytes }, at) => known[at]!.layout.bytes === bytes);
  return isKnown ? known.map(({ memory }) => memory) : layouts.map(({ bytes }) => allocate(bytes));
}

/** A memory in which things have their places. */
function placed(memory: WebAssembly.Memory, layout: Layout, sizing: Sizing): LaidOut {
  const kernel = kernelOn(memory);
  // another arrangement may have left its own there
  for (const workspace of layout.workspaces)
    new Uint8Array(memory.buffer, workspace, kernel.layout.STATE_BYTES).fill(0);
  place(kernel, layout.workspaces[0]!, sizing);
  return { memory, layout };
}

/** Sorts the rows of all splits in the first workspace, which has room for them and is free until training begins. */
function sortRows(
  memory: WebAssembly.Memory,
  { workspaces }: Layout,
  { train, valid, test }: Splits,
  { rowCounts, dimensions }: Sizing,
): void {
  const kernel = kernelOn(memory);
  const address = workspaces[0]!;
  if (train.layout !== undefined) writeFields(memory, kernel, address, train.layout);
  const unsorted = new StateView(memory, address, kernel.layout).get('UNSORTED');
  let end = unsorted;
  for (const matrix of [train, valid, test]) {
    if (matrix === null) continue;
    new Uint8Array(memory.buffer, end, matrix.bytes.length).set(matrix.bytes);
    end += matrix.bytes.length;
  }
  kernel.arrange(address, unsorted, end, rowCounts[0], rowCounts[1], dimensions);
}

function allocate(bytes: number): WebAssembly.Memory {
  const pages = bytes / PAGE_BYTES;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (cause) {
    throw new KernelError('The trainer could not get its memory', {
      code: 'too-large',
      got: `a refusal of ${(bytes / 2 ** 20).toFixed(0)} MiB`,
      expected: 'that much free address space',
      remedy: 'Use fewer threads, or a machine with more memory.',
      cause,
    });
  }
}
