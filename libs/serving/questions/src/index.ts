export { alarmsAnswerSchema, alarmsRequestSchema, askAlarms, type AlarmsAnswer } from './ask-alarms.js';
export { askCheck, checkAnswerSchema, checkRequestSchema, type CheckAnswer } from './ask-check.js';
export { askCompare, compareAnswerSchema, compareRequestSchema, type CompareAnswer } from './ask-compare.js';
export { askImportance, importanceAnswerSchema, type ImportanceAnswer } from './ask-importance.js';
export { askComplete } from './ask-complete.js';
export { askSample } from './ask-sample.js';
export { askScore } from './ask-score.js';
export { type QuestionErrorCode } from './errors.js';
export {
  completeAnswerSchema,
  completeRequestSchema,
  sampleAnswerSchema,
  sampleRequestSchema,
  scoreAnswerSchema,
  scoreRequestSchema,
  type CompleteAnswer,
  type SampleAnswer,
  type ScoreAnswer,
} from './row-documents.js';
