export { canonicalJson, contentId } from './canonical.js';
export { datasetFactsSchema, type DatasetFacts } from './dataset-facts.js';
export { ContractError, parseContract, type BadInput } from './errors.js';
export {
  assembleJobSchema,
  jobSchema,
  refitJobSchema,
  selectJobSchema,
  trainJobSchema,
  type AssembleJob,
  type Job,
  type RefitJob,
  type SelectJob,
  type TrainJob,
} from './jobs.js';
export { MAXIMUM_DIMENSIONS, MAXIMUM_ROUNDS } from './limits.js';
export { trainingOptionsSchema, type TrainingOptions } from './options.js';
export { presetNames, presets, type PresetName } from './presets.js';
export { runProgressSchema, runStages, type RunProgress, type RunStage } from './progress.js';
export { resolveOptions, runRequestSchema, runWordsSchema, type RunRequest, type RunWords } from './request.js';
export { selectionDocumentSchema, type SelectionDocument } from './selection-document.js';
export {
  defaultChoice,
  selectionMethods,
  selectionMethodSchema,
  type NetworkChoice,
  type SelectionMethod,
} from './selection-method.js';
export {
  permutationSchema,
  runIdOf,
  runSpecificationSchema,
  sha256Schema,
  type RunSpecification,
} from './specification.js';
export {
  secondsSchema,
  summaryKeys,
  summarySchema,
  trainDocumentSchema,
  type Seconds,
  type SelectionFigures,
  type Summary,
  type TrainDocument,
} from './summary.js';
export { runWarningSchema, warningCodes, type RunWarning } from './warning.js';
