import { boosted } from '@orchard/boosted';
import { chowLiu } from '@orchard/chow-liu';
import { compositional } from '@orchard/compositional';
import { cutset } from '@orchard/cutset';
import { mixture } from '@orchard/forest-mixture';
import { lbarn } from '@orchard/lbarn';
import { marginals } from '@orchard/marginals';
import { partition } from '@orchard/partition';
import { Families } from '@orchard/pipeline';
import { sparn } from '@orchard/sparn';
import { tables } from '@orchard/tables';

export { askComplete, askSample, askScore } from './questions/ask-model.js';
export { QuestionError, type QuestionErrorCode } from './questions/errors.js';
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
} from './questions/row-documents.js';
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
} from './questions/table-documents.js';

/**
 * The kinds of models that every program of this release knows. One that is added here is known everywhere. The first that learns bits, and the
 * first that learns tables, is what is trained where nobody names one.
 */
export const families = new Families([
  lbarn,
  tables,
  marginals,
  chowLiu,
  cutset,
  boosted,
  mixture,
  sparn,
  compositional,
  partition,
]);
