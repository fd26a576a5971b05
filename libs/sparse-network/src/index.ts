export { componentSections, type TriedMixture } from './components-section.js';
export { Gate } from './gate.js';
export { Interval } from './interval.js';
export { membersOf, weightsOfComponents, type ColumnOfComponents } from './mixed-members.js';
export { sharesBy, weightsOf } from './row-shares.js';
export { Sparn, sparnCodec } from './sparn-model.js';
export { sequenceCodec, SparnSequence } from './sparn-sequence.js';
export { sequenceSection, type ChosenInterval } from './sequence-section.js';
export { weightsOfColumns, type SparseWeights } from './sparse-weights.js';
export { weightSections, type TriedPenalty } from './weights-section.js';
export {
  mixedWeightsDocument,
  mixedWeightsDocumentSchema,
  sharesDocument,
  sharesDocumentSchema,
  sharesFrom,
  weightsDocument,
  weightsDocumentSchema,
  type MixedWeightsDocument,
  type SharesDocument,
} from './weights-documents.js';
export { pathDocument, pathDocumentSchema, stepOf, type PathDocument } from './path-document.js';
