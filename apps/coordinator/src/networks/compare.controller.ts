import { Controller, Inject, Param, Post, Query, Req, type StreamableFile } from '@nestjs/common';
import { compareAnswerSchema, compareRequestSchema } from '@orchard/questions';
import type { Request } from 'express';
import type { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { networkPathSchema, networkQuerySchema } from './network-documents.js';
import { ModelQuestions } from './model-questions.js';

const compareQuerySchema = networkQuerySchema.extend({
  with: networkPathSchema.shape.id.meta({ description: 'the id of another run: B, its model as last submitted' }),
});

/** Compares the models of two runs. */
@Controller('v1/networks')
export class CompareController {
  constructor(@Inject(ModelQuestions) private readonly questions: ModelQuestions) {}

  @Post(':id/compare')
  @Describe({
    summary: 'Which of two models finds rows likelier, in all and by column',
    tag: 'networks',
    path: networkPathSchema,
    query: compareQuerySchema,
    body: compareRequestSchema,
    answers: { 200: compareAnswerSchema },
    problems: [404, 408, 409, 413, 415, 422],
  })
  compare(
    @Param(new ContractPipe(networkPathSchema, 'path')) { id }: z.infer<typeof networkPathSchema>,
    @Query(new QueryPipe(compareQuerySchema)) query: { readonly with: string } & Record<string, unknown>,
    @Req() request: Request,
  ): Promise<StreamableFile> {
    const { with: other, ...wanted } = query;
    return this.questions.ask('compare', request, { run: id, wanted }, { run: other, wanted: {} });
  }
}
