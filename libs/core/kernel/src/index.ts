import type { Kernel } from './kernel.js';
import { referenceKernel } from './reference-kernel.js';
import { wasmKernel } from './wasm-kernel.js';

export { KernelError } from './errors.js';
export type {
  Conditional,
  GrowthOptions,
  GrownTree,
  Kernel,
  LeafSums,
  LogLikelihoods,
  TreeStructure,
  WeightedTree,
} from './kernel.js';
export { threadsThatFit, trainingBytes } from './threads-that-fit.js';
export type { MemoryLimit, MemoryOptions, ThreadsThatFit } from './threads-that-fit.js';
export type { MatrixSize, SplitSizes } from './split-sizes.js';
export { decisionOf, labelsOf, predictorsOf, trainingCounts, UNREACHED } from './target.js';
export type { Decision, Target } from './target.js';
export { Split, TrainingData } from './training-data.js';
export type { Splits, TrainingDataHandle } from './arrangement.js';
export { leafFactors, leafValues } from './tree-values.js';
export type { LeafValueOptions } from './tree-values.js';

/** The fast kernel, or the slow one that defines what it must compute. */
export function loadKernel(kind: Kernel['kind'] = 'wasm'): Promise<Kernel> {
  return Promise.resolve(kind === 'wasm' ? wasmKernel : referenceKernel);
}
