import { CompiledModule } from '@orchard/numerics';
import { KernelError } from './errors.js';
import { kernelBytes } from './generated/kernel-bytes.js';

/** The kernel's functions on one memory; `state` is the address of a `State` (assembly/state.ts). */
export interface KernelFunctions {
  placeShared(
    state: number,
    rows: number,
    dimensions: number,
    stride: number,
    fields: number,
    predictorsInSets: number,
  ): number;
  placeWorkspace(
    state: number,
    rows: number,
    trainingRows: number,
    dimensions: number,
    leaves: number,
    fields: number,
    predictorsInSets: number,
    sampled: number,
  ): number;
  arrange(state: number, unsorted: number, scratch: number, train: number, valid: number, dimensions: number): void;
  setGrowth(state: number, leaves: number, minLeafWeight: number, l2: number, grid: number): void;
  labelByColumn(state: number, position: number): void;
  reach(state: number, count: number): void;
  countOnes(state: number, position: number, value: number, positions: number, pooled: number): void;
  prepare(
    state: number,
    predictors: number,
    pooled: number,
    growing: number,
    alike: number,
    deferring: number,
    odds: number,
  ): void;
  restart(state: number): void;
  allow(state: number): void;
  allowAll(state: number): void;
  grow(state: number): void;
  growFirstOrder(state: number): void;
  growOn(state: number, count: number, byResiduals: number): void;
  follow(state: number, leaves: number): void;
  apply(state: number): void;
  applyOnly(state: number, leaves: number): void;
  applyAgain(state: number, leaves: number): void;
  sortInto(state: number, leaves: number): void;
  settle(state: number): void;
}

/** What the kernel exports about its memory (assembly/exported.ts); only the names are known here. */
const exportedNames = [
  ...['FIRST', 'STATE_BYTES', 'ROWS', 'SHARED_BITS', 'SPLITS', 'UNSORTED', 'LABELS', 'SCORES', 'LEAF_COUNT'],
  ...['FIELDS', 'CODE_RANGES', 'CODE_SETS', 'GROUPS', 'GROUPS_HEAD', 'GROUP_BYTES'],
  ...['PATTERN_END', 'PATTERN_ROW', 'ODDS', 'SAMPLED_ROWS', 'REACHED_ROWS'],
  ...['SPLIT_LEAVES', 'SPLIT_PREDICTORS', 'SPLIT_GAINS', 'LEAF_SUMS', 'LEAF_FACTORS', 'NUMBERS', 'LOG_LIKELIHOODS'],
] as const;

export type KernelLayout = Readonly<Record<(typeof exportedNames)[number], number>>;

export interface KernelModule extends KernelFunctions {
  readonly layout: KernelLayout;
}

const compiled = new CompiledModule(kernelBytes);
const instances = new WeakMap<WebAssembly.Memory, KernelModule>();

/** The kernel on that memory: compiled once a thread, instantiated once a memory. */
export function kernelOn(memory: WebAssembly.Memory): KernelModule {
  let instance = instances.get(memory);
  if (instance === undefined) {
    const exports = compiled.instantiate<KernelFunctions & Readonly<Record<string, unknown>>>(memory);
    instance = { ...exports, layout: layoutExportedBy(exports) };
    instances.set(memory, instance);
  }
  return instance;
}

/** @throws KernelError where something is not exported: the host and the compiled kernel are not of one make */
export function layoutExportedBy(exports: Readonly<Record<string, unknown>>): KernelLayout {
  const offsets = exportedNames.map((name) => {
    const global = exports[name];
    if (global instanceof WebAssembly.Global) return [name, global.value as number] as const;
    throw new KernelError('The compiled kernel does not fit this program', {
      code: 'other-layout',
      got: `no ${name} among its exports`,
      expected: exportedNames.join(', '),
      remedy: 'Build it again: npx nx build kernel.',
    });
  });
  return Object.fromEntries(offsets) as KernelLayout;
}

/** A `State` in memory, by the offsets that the kernel exports. */
export class StateView {
  readonly #words: Uint32Array;

  constructor(
    memory: WebAssembly.Memory,
    address: number,
    readonly layout: KernelLayout,
  ) {
    this.#words = new Uint32Array(memory.buffer, address, layout.STATE_BYTES / Uint32Array.BYTES_PER_ELEMENT);
  }

  get(field: keyof KernelLayout): number {
    return this.#words[this.layout[field] / Uint32Array.BYTES_PER_ELEMENT]!;
  }
}
