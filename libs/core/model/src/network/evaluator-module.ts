import { evaluatorBytes } from '../generated/evaluator-bytes.js';

/** The functions of assembly/index.ts and the addresses of assembly/layout.ts, on a memory of their own. */
export interface EvaluatorModule {
  readonly memory: WebAssembly.Memory;
  applyTrees(trees: number, columns: number, stride: number, rows: number, odds: number, reach: number): number;
  transpose(rows: number, rowStride: number, order: number, count: number, targets: number, dimensions: number): void;
  readonly layout: {
    readonly MOST_LEAVES: number;
    readonly LEAF_ROOM: number;
    readonly LEAF_COUNTS: number;
    readonly LEAF_FACTORS: number;
    readonly SPLIT_LEAVES: number;
    readonly SPLIT_PREDICTORS: number;
    readonly HEAP: number;
  };
}

let compiled: WebAssembly.Module | undefined;

/** Compiled once a thread; every call makes another memory. */
export function createEvaluatorModule(): EvaluatorModule {
  // browsers have no Buffer
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(evaluatorBytes), (byte) => byte.charCodeAt(0)));
  const { exports } = new WebAssembly.Instance(compiled, { env: { abort: () => undefined } });
  const { memory, applyTrees, transpose, ...globals } = exports as unknown as Omit<EvaluatorModule, 'layout'> &
    Record<string, WebAssembly.Global<'i32'>>;
  const layout = Object.fromEntries(Object.entries(globals).map(([name, { value }]) => [name, value]));
  return { memory, applyTrees, transpose, layout: layout as unknown as EvaluatorModule['layout'] };
}

const PAGE = 65_536;

/** Makes the memory `bytes` long at least; views on it from before are of no use afterwards. */
export function reserve(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}
