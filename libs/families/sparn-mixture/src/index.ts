export { chooseSequence, type SequenceEnding } from './choose-sequence.js';
export { componentSections } from './components-section.js';
export { missingOfMixture } from './missing-of-mixture.js';
export {
  mixedNames,
  mixedStepIn,
  partDocumentSchema,
  partsFolder,
  readPart,
  readShares,
  readStep,
  refitsFolder,
  sharesFolder,
  stepDocumentSchema,
  stepsFolder,
  type MixedStep,
  type PartDocument,
  type StepDocument,
} from './mixed-documents.js';
export {
  beginWithProducts,
  bestStepOf,
  endStep,
  fitPart,
  partsOf,
  type BestStep,
  type StepEnd,
} from './mixed-steps.js';
export { tableOf } from './report-tables.js';
export type { TriedMixture } from './tried-mixture.js';
export { sequenceSection, type ChosenInterval } from './sequence-section.js';
export type { SortedSplits } from './sorted-splits.js';
export {
  choosingColumns,
  gridOf,
  MOST_PENALTIES,
  MOST_TRIED,
  mixtureOptions,
  optionSchemas,
  sparnFamily,
  sparnSpecification,
  sparnSpecificationSchema,
  type MixtureOptions,
  type SparnSpecification,
} from './sparn-specification.js';
export { sharesDocumentSchema, type SharesDocument } from './weights-documents.js';
export { tableWeightSections, weightSections, type TriedPenalty } from './weights-section.js';
