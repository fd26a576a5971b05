export { askComplete, askSample, askScore } from './ask-model.js';
export { QuestionError, type QuestionErrorCode } from './errors.js';
export {
  completeRowsAnswerSchema,
  completeRowsRequestSchema,
  MOST_ROWS,
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
  tableRowSchema,
  tableSampleAnswerSchema,
  tableSampleRequestSchema,
  tableScoreAnswerSchema,
  tableScoreRequestSchema,
  type CompleteAnswer,
  type TableSampleAnswer,
  type TableScoreAnswer,
} from './table-documents.js';
