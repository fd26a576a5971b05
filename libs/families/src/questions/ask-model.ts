import { parseContract } from '@orchard/contracts';
import { isTabular, type DensityModel } from '@orchard/model';
import { sampleRows, scoreRows } from './ask-rows.js';
import { completeTableRows, sampleTable, scoreTable } from './ask-table.js';
import { QuestionError } from './errors.js';
import { parseScoreRequest, parseTableRows, parseTableSample } from './parse-questions.js';
import { sampleRequestSchema, type SampleAnswer, type ScoreAnswer } from './row-documents.js';
import {
  completeRequestSchema,
  tableScoreRequestSchema,
  type CompleteAnswer,
  type TableSampleAnswer,
  type TableScoreAnswer,
} from './table-documents.js';

/** How likely rows are, and which of their columns are odd. @throws Refusal for what is no such question of this model */
export function askScore(model: DensityModel, question: unknown): ScoreAnswer | TableScoreAnswer {
  return isTabular(model)
    ? scoreTable(model, parseTableRows(tableScoreRequestSchema, question))
    : scoreRows(model, parseScoreRequest(question, model.dimensions));
}

/** Drawn rows. @throws Refusal for what is no such question of this model */
export function askSample(model: DensityModel, question: unknown): SampleAnswer | TableSampleAnswer {
  return isTabular(model)
    ? sampleTable(model, parseTableSample(question))
    : sampleRows(model, parseContract(sampleRequestSchema, question, 'sample request'));
}

/** Rows whose holes are filled. @throws Refusal for what is no such question, and for a model of bits */
export function askComplete(model: DensityModel, question: unknown): CompleteAnswer {
  const parsed = parseTableRows(completeRequestSchema, question);
  if (isTabular(model)) return completeTableRows(model, parsed);
  throw new QuestionError('over-limit', {
    got: `a model of the family ${model.family}`,
    expected: 'the model of a table',
    remedy: "Use `orchard complete` with the model's file.",
  });
}
