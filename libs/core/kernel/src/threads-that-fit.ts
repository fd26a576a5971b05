import { largestThat, sumOf } from '@orchard/numerics';
import { KernelError } from './errors.js';
import { layoutOf, layoutsOf, mostThreads, MOST_BYTES, sizingOf, type Sizing } from './layout.js';
import { checkSplits, rowCountsOf, type SplitSizes } from './split-sizes.js';

export interface MemoryOptions {
  /** Most leaves of a tree. */
  readonly leaves: number;
  /** Threads that are wanted, at least one. */
  readonly threads: number;
  /** Most rows that a tree grows on. @default all */
  readonly rowsPerTree?: number | undefined;
  /** Most bytes of one memory, of which there are several where it is too small. @default 4 GiB: WASM's addresses */
  readonly memoryBytes?: number | undefined;
}

export interface MemoryLimit {
  /** Bytes that the data may take in all memories. @default those of one memory */
  readonly bytes?: number | undefined;
}

export interface ThreadsThatFit {
  /** As many as were wanted, or as many as there is room for. */
  readonly threads: number;
  /** What {@link TrainingData.arrange} takes for them. */
  readonly bytes: number;
  readonly bytesPerThread: number;
}

/**
 * The bytes of the memories that {@link TrainingData.arrange} makes: exactly these, since they are made for rows that
 * may all differ. No row is looked at, and where not even one thread fits the figure is more than there can be.
 *
 * @throws KernelError where the splits do not match, or one has no rows or too many
 */
export function trainingBytes(splits: SplitSizes, { threads, memoryBytes, ...of }: MemoryOptions): number {
  checkSplits(splits);
  return bytesOf(sizingOf(splits, of), threads, memoryBytes);
}

function bytesOf(sizing: Sizing, threads: number, memoryBytes: number | undefined): number {
  return sumOf(layoutsOf(sizing, threads, memoryBytes).map(({ bytes }) => bytes));
}

/**
 * How many of the wanted threads can train on data of these sizes at once.
 *
 * @throws KernelError `too-large` where there is no room for one, with what there would be room for
 */
export function threadsThatFit(
  splits: SplitSizes,
  { threads, memoryBytes = MOST_BYTES, bytes: limit = memoryBytes, ...of }: MemoryOptions & MemoryLimit,
): ThreadsThatFit {
  checkSplits(splits);
  const sizing = sizingOf(splits, of);
  const one = layoutOf(sizing, 1);
  if (mostThreads(one, Math.min(limit, memoryBytes)) < 1) throw tooLarge(splits, { ...of, threads: 1, bytes: limit });
  let fitting = threads;
  while (fitting > 1 && bytesOf(sizing, fitting, memoryBytes) > limit) fitting--;
  return { threads: fitting, bytes: bytesOf(sizing, fitting, memoryBytes), bytesPerThread: one.bytesPerThread };
}

/** The refusal of so many threads, with what there would be room for instead. */
export function tooLarge(
  splits: SplitSizes,
  { threads, bytes: limit = MOST_BYTES, ...of }: MemoryOptions & MemoryLimit,
): KernelError {
  const sizing = sizingOf(splits, of);
  const { bytes, bytesPerThread } = layoutOf(sizing, threads);
  const rows = sumOf(rowCountsOf(splits));
  const what = `${rows} rows x ${splits.train.dimensions} dimensions with ${plural(sizing.leaves, 'leaf', 'leaves')} and ${plural(threads, 'thread')}`;
  return new KernelError('The data set does not fit into the trainer’s memory', {
    code: 'too-large',
    got: `${what}, ${sizeOf(bytes)}`,
    expected: `at most ${sizeOf(Math.min(limit, MOST_BYTES))} (a thread takes ${sizeOf(bytesPerThread)} here)`,
    remedy: remedyFor(splits, { ...of, leaves: sizing.leaves }, limit, bytes),
  });
}

/**
 * What is nearest to the wish and fits: fewer threads; on a single one fewer rows or leaves, or else fewer dimensions.
 */
function remedyFor(
  splits: SplitSizes,
  { leaves, rowsPerTree }: Omit<MemoryOptions, 'threads'>,
  limit: number,
  bytes: number,
): string {
  const fits = (sizes: SplitSizes, ofLeaves: number): number =>
    mostThreads(layoutOf(sizingOf(sizes, { leaves: ofLeaves, rowsPerTree }), 1), limit);
  const atMost = (count: number, noun: string): string[] => (count > 0 ? [`at most ${count} ${noun}`] : []);
  const threads = fits(splits, leaves);
  let offers = atMost(threads, threads === 1 ? 'thread' : 'threads');
  if (threads === 0) {
    const rows = largestThat(sumOf(rowCountsOf(splits)), (count) => fits(withRows(splits, count), leaves) > 0);
    const fewerLeaves = largestThat(leaves, (count) => fits(splits, count) > 0);
    // a tree of one leaf has no split
    offers = [...atMost(rows, 'rows in all splits together'), ...atMost(fewerLeaves > 1 ? fewerLeaves : 0, 'leaves')];
  }
  if (offers.length === 0) {
    const { dimensions } = splits.train;
    const fewer = largestThat(dimensions, (count) => fits(withDimensions(splits, count), leaves) > 0);
    offers = atMost(fewer, 'dimensions');
  }
  if (limit < bytes && bytes <= MOST_BYTES) offers.push(`${Math.ceil(bytes / 2 ** 20)} MiB of memory`);
  return `Use ${offers.join(', or ')}.`;
}

/** Fewer rows, in the same proportions. */
function withRows(splits: SplitSizes, rows: number): SplitSizes {
  const share = rows / sumOf(rowCountsOf(splits));
  return eachOf(splits, (size) => ({ ...size, rows: Math.ceil(size.rows * share) }));
}

function withDimensions(splits: SplitSizes, dimensions: number): SplitSizes {
  return eachOf(splits, (size) => ({ ...size, dimensions }));
}

function eachOf(
  { train, valid, test }: SplitSizes,
  change: (size: SplitSizes['train']) => SplitSizes['train'],
): SplitSizes {
  return { train: change(train), valid: valid && change(valid), test: test && change(test) };
}

function plural(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

function sizeOf(bytes: number): string {
  return bytes < 2 ** 29 ? `${(bytes / 2 ** 20).toFixed(1)} MiB` : `${(bytes / 2 ** 30).toFixed(2)} GiB`;
}
