import { parseContract } from '@orchard/contracts';
import { isTabular, type DensityModel } from '@orchard/model';
import { completeRows, sampleRows, scoreRows } from './ask-rows.js';
import { completeTableRows, sampleTable, scoreTable } from './ask-table.js';
import { parseCompleteRequest, parseScoreRequest, parseTableRows, parseTableSample } from './parse-questions.js';
import { sampleRequestSchema, type CompleteRowsAnswer, type SampleAnswer, type ScoreAnswer } from './row-documents.js';
import {
  completeRequestSchema,
  tableScoreRequestSchema,
  type CompleteAnswer,
  type TableSampleAnswer,
  type TableScoreAnswer,
} from './table-documents.js';

/** How likely rows are, and which of their columns are odd. @throws Refusal for what is not a question of this model */
export function askScore(model: DensityModel, question: unknown): ScoreAnswer | TableScoreAnswer {
  return isTabular(model)
    ? scoreTable(model, parseTableRows(tableScoreRequestSchema, question))
    : scoreRows(model, parseScoreRequest(question, model.dimensions));
}

/** Sampled rows. @throws Refusal for what is not a question of this model */
export function askSample(model: DensityModel, question: unknown): SampleAnswer | TableSampleAnswer {
  return isTabular(model)
    ? sampleTable(model, parseTableSample(question))
    : sampleRows(model, parseContract(sampleRequestSchema, question, 'sample request'));
}

/** Rows whose missing values are filled. @throws Refusal for what is not a question of this model */
export function askComplete(model: DensityModel, question: unknown): CompleteRowsAnswer | CompleteAnswer {
  return isTabular(model)
    ? completeTableRows(model, parseTableRows(completeRequestSchema, question))
    : completeRows(model, parseCompleteRequest(question, model.dimensions));
}
