import type { z } from 'zod';
import { askComplete } from '../../ask-complete.js';
import { askScore } from '../../ask-score.js';
import { completeRequestSchema, scoreRequestSchema } from '../../row-documents.js';
import type { Operation } from './operation.js';

/** A question whose rows and answer are plain JSON, as the coordinator and `orchard serve` have it. */
export interface QuestionInJson {
  readonly title: string;
  readonly description: string;
  readonly schema: z.ZodObject;
  readonly answer: Operation;
}

export const questionsInJson = {
  scoreRows: {
    title: 'Score rows that are given here',
    description:
      'How likely each of these rows is under a model (log-likelihood in nats), and which of their cells are surprising. For a file use evaluate.',
    schema: scoreRequestSchema,
    answer: async (model, question) => ({ ...(await askScore(model, question)) }),
  },
  completeRows: {
    title: 'Fill in rows that are given here',
    description:
      'Fill in the missing values (null, or left out) of these rows by a model; with probabilities, what each of them may be and how probably. For a file use complete.',
    // tools of assistants are described in few words, and take the usual form
    schema: completeRequestSchema.omit({ form: true }),
    answer: async (model, question) => ({ ...(await askComplete(model, question)) }),
  },
} satisfies Readonly<Record<string, QuestionInJson>>;
