import { Controller, Get, Inject, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import { importanceAnswerSchema } from '@orchard/questions';
import type { Request } from 'express';
import { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { networkPathSchema, networkQuerySchema } from './network-documents.js';
import { ModelQuestions } from './model-questions.js';

const importanceQuerySchema = networkQuerySchema.extend({
  column: z.int().min(0).default(0).meta({ description: 'the dimension or variable, as stored, from 0' }),
});

/**
 * What a column is predicted from. Trees split on noise too: the strongest shares are tested by held-out rows of the
 * run, where these are stored.
 */
@Controller('v1/networks')
export class ImportanceController {
  constructor(@Inject(ModelQuestions) private readonly questions: ModelQuestions) {}

  @Get(':id/importance')
  @Describe({
    summary: 'What one column is predicted from, and which of it is no better than noise on held-out rows',
    tag: 'networks',
    path: networkPathSchema,
    query: importanceQuerySchema,
    answers: { 200: importanceAnswerSchema },
    problems: [404, 409, 422],
  })
  importance(
    @Param(new ContractPipe(networkPathSchema, 'path')) { id }: z.infer<typeof networkPathSchema>,
    @Query(new QueryPipe(importanceQuerySchema)) query: { readonly column: number } & Record<string, unknown>,
    @Req() request: Request,
  ): Promise<StreamableFile> {
    const { column, ...wanted } = query;
    const question = Buffer.from(JSON.stringify({ column }));
    return this.questions.ask('importance', request, { run: id, wanted }, null, () => question);
  }
}
