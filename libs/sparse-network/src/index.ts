export { componentSections, type TriedMixture } from './components-section.js';
export { membersOf, type ColumnOfComponents } from './mixed-members.js';
export { sharesBy, weightsOf } from './row-shares.js';
export { Sparn, sparnCodec } from './sparn-model.js';
export type { SparseWeights } from './sparse-weights.js';
export { weightSections, type TriedPenalty } from './weights-section.js';
