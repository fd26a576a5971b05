export { sparn } from './sparn.js';
export { Sparn } from './sparn-model.js';
export type { SparseWeights } from './sparse-weights.js';
