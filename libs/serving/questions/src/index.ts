export { alarmsAnswerSchema, alarmsRequestSchema, askAlarms, type AlarmsAnswer } from './ask-alarms.js';
export { askCheck, checkAnswerSchema, checkRequestSchema, type CheckAnswer } from './ask-check.js';
export { askCompare, compareAnswerSchema, compareRequestSchema, type CompareAnswer } from './ask-compare.js';
export { askImportance, importanceAnswerSchema, type ImportanceAnswer } from './ask-importance.js';
export { askComplete, askSample, askScore } from './ask-model.js';
export { type QuestionErrorCode } from './errors.js';
export {
  completeRowsAnswerSchema,
  completeRowsRequestSchema,
  sampleAnswerSchema,
  sampleRequestSchema,
  scoreAnswerSchema,
  scoreRequestSchema,
  type CompleteRowsAnswer,
  type SampleAnswer,
  type ScoreAnswer,
} from './row-documents.js';
export {
  completeAnswerSchema,
  completeRequestSchema,
  tableSampleAnswerSchema,
  tableSampleRequestSchema,
  tableScoreAnswerSchema,
  tableScoreRequestSchema,
  type CompleteAnswer,
  type TableSampleAnswer,
  type TableScoreAnswer,
  kindsSchema,
} from './table-documents.js';
