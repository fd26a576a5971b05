import { CompiledModule } from '@orchard/numerics';
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

const compiled = new CompiledModule(evaluatorBytes);

/** Compiled once a thread; every call makes another memory. */
export function createEvaluatorModule(): EvaluatorModule {
  const { memory, applyTrees, transpose, ...globals } = compiled.instantiate<
    Omit<EvaluatorModule, 'layout'> & Record<keyof EvaluatorModule['layout'], WebAssembly.Global>
  >();
  const layout = Object.fromEntries(Object.entries(globals).map(([name, { value }]) => [name, value]));
  return { memory, applyTrees, transpose, layout: layout as EvaluatorModule['layout'] };
}
