import { Controller, Inject, Param, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { compareAnswerSchema, compareRequestSchema } from '@orchard/questions';
import type { RunLife } from '@orchard/runs';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { signalOf } from '../http/client-signal.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { JsonBodies } from '../http/json-body.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { chosenModel } from '../runs/wanted.js';
import { networkPathSchema, networkQuerySchema } from './network-documents.js';
import { ModelQuestions, type AskedModel } from './model-questions.js';

const compareQuerySchema = networkQuerySchema.extend({
  with: networkPathSchema.shape.id.meta({ description: 'the id of another run: B, its model as last submitted' }),
});

/** Compares the models of two runs. */
@Controller('v1/networks')
export class CompareController {
  constructor(
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(ModelQuestions) private readonly questions: ModelQuestions,
    @Inject(JsonBodies) private readonly bodies: JsonBodies,
  ) {}

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
  async compare(
    @Param(new ContractPipe(networkPathSchema, 'path')) { id }: z.infer<typeof networkPathSchema>,
    @Query(new QueryPipe(compareQuerySchema)) query: { readonly with: string } & Record<string, unknown>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { with: other, ...wanted } = query;
    const [a, b] = await Promise.all([this.#modelOf(id, wanted), this.#modelOf(other, {})]);
    const body = await this.bodies.text(request, response);
    const answer = await this.questions.ask('compare', a, body, signalOf(request), b);
    return new StreamableFile(answer, { type: 'application/json; charset=utf-8' });
  }

  async #modelOf(run: string, wanted: Readonly<Record<string, unknown>>): Promise<AskedModel> {
    return { run, wanted: chosenModel(await this.life.status(run), wanted).name };
  }
}
