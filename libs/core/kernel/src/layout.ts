import { BitMatrix, predictorsInSets } from '@orchard/dataset';
import { kernelOn, StateView, type KernelModule } from './kernel-module.js';
import { rowCountsOf, type SplitSizes } from './split-sizes.js';
import type { MemoryOptions } from './threads-that-fit.js';

/** Addresses in the shared memory, as the kernel places things (assembly/layout.ts). */
export interface Layout {
  readonly rows: number;
  readonly sharedBits: number;
  readonly splits: number;
  /** Where each thread's workspace begins. */
  readonly workspaces: readonly number[];
  readonly bytesPerThread: number;
  /** Of all, in whole pages. */
  readonly bytes: number;
}

/** What the kernel asks to know to place things. */
export interface Sizing {
  /** Of training, validation and test. */
  readonly rowCounts: readonly [number, number, number];
  readonly dimensions: number;
  /** Bytes of a row. */
  readonly stride: number;
  /** Of a table's rows; 0 where rows are bits. */
  readonly fields: number;
  readonly predictorsInSets: number;
  /** Most leaves a tree can have: no more than there are rows in training. */
  readonly leaves: number;
  /** Most rows that a tree grows on; 0 where all trees grow on all. */
  readonly sampled: number;
}

export const PAGE_BYTES = 65_536;
/** What WASM can address, 4 GiB. */
export const MOST_BYTES = 65_536 * PAGE_BYTES;

let sizingMemory: WebAssembly.Memory | undefined;

export function sizingOf(
  splits: SplitSizes,
  { leaves, rowsPerTree = Infinity }: Omit<MemoryOptions, 'threads'>,
): Sizing {
  const rowCounts = rowCountsOf(splits);
  const { dimensions, layout } = splits.train;
  const trainable = rowCounts[0] + rowCounts[1];
  const most = { leaves: Math.min(leaves, trainable), sampled: rowsPerTree < trainable ? rowsPerTree : 0 };
  if (layout === undefined) {
    const { stride } = BitMatrix.create(0, dimensions);
    return { rowCounts, dimensions, stride, fields: 0, predictorsInSets: 0, ...most };
  }
  const { stride, fields } = layout;
  return { rowCounts, dimensions, stride, fields: fields.length, predictorsInSets: predictorsInSets(layout), ...most };
}

/**
 * Where everything lies for so many threads: in one memory, or in several where one is too small for all of them, each
 * with the rows once more.
 */
export function layoutsOf(sizing: Sizing, threads: number, mostBytes = MOST_BYTES): Layout[] {
  const memories = Math.ceil(threads / Math.max(1, mostThreads(layoutOf(sizing, 1), mostBytes)));
  return Array.from({ length: memories }, (_, memory) => layoutOf(sizing, Math.ceil((threads - memory) / memories)));
}

/** How many threads one memory has room for. */
export function mostThreads({ workspaces, bytesPerThread }: Layout, mostBytes: number): number {
  const wholePages = Math.floor(Math.min(mostBytes, MOST_BYTES) / PAGE_BYTES) * PAGE_BYTES;
  return Math.max(0, Math.floor((wholePages - workspaces[0]!) / bytesPerThread));
}

/** Makes the kernel place all that lies at fixed addresses, into the `State` at that address. */
export function place(
  kernel: KernelModule,
  address: number,
  { rowCounts: [train, valid, test], dimensions, stride, leaves, fields, predictorsInSets: sets, sampled }: Sizing,
): { readonly shared: number; readonly workspace: number } {
  const rows = train + valid + test;
  // a refit pools training and validation rows
  return {
    shared: kernel.placeShared(address, rows, dimensions, stride, fields, sets),
    workspace: kernel.placeWorkspace(address, rows, train + valid, dimensions, leaves, fields, sets, sampled),
  };
}

/** In one memory, however much that is. Takes microseconds, whatever the sizes. */
export function layoutOf(sizing: Sizing, threads: number): Layout {
  // the kernel wants a shared memory; one page holds the State that it writes
  sizingMemory ??= new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const kernel = kernelOn(sizingMemory);
  const { shared, workspace } = place(kernel, kernel.layout.FIRST, sizing);
  const state = new StateView(sizingMemory, kernel.layout.FIRST, kernel.layout);
  return {
    rows: state.get('ROWS'),
    sharedBits: state.get('SHARED_BITS'),
    splits: state.get('SPLITS'),
    workspaces: Array.from({ length: threads }, (_, thread) => shared + thread * workspace),
    bytesPerThread: workspace,
    bytes: Math.ceil((shared + threads * workspace) / PAGE_BYTES) * PAGE_BYTES,
  };
}
