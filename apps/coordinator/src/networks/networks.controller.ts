import { Controller, Inject, Param, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import {
  alarmsAnswerSchema,
  alarmsRequestSchema,
  checkAnswerSchema,
  checkRequestSchema,
  completeAnswerSchema,
  completeRequestSchema,
  sampleAnswerSchema,
  sampleRequestSchema,
  scoreAnswerSchema,
  scoreRequestSchema,
} from '@orchard/questions';
import type { RunLife } from '@orchard/runs';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { signalOf } from '../http/client-signal.js';
import { JsonBodies } from '../http/json-body.js';
import { QueryPipe } from '../http/query-pipe.js';
import type { ModelComputation } from '../computations.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { chosenModel } from '../runs/wanted.js';
import { networkPathSchema, networkQuerySchema } from './network-documents.js';
import { ModelQuestions } from './model-questions.js';

const path = new ContractPipe(networkPathSchema, 'path');
const query = new QueryPipe(networkQuerySchema);
/** What is said of every question. */
const aQuestion = {
  tag: 'networks',
  path: networkPathSchema,
  query: networkQuerySchema,
  problems: [404, 408, 409, 413, 415, 422],
} as const;
type Path = z.infer<typeof networkPathSchema>;
type Wanted = z.infer<typeof networkQuerySchema>;

/**
 * Small questions to a finished network; large ones are for the command line and a fetched file. Each is computed on a
 * thread, from the text of its body to the text of its answer.
 */
@Controller('v1/networks')
export class NetworksController {
  constructor(
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(ModelQuestions) private readonly questions: ModelQuestions,
    @Inject(JsonBodies) private readonly bodies: JsonBodies,
  ) {}

  @Post(':id/score')
  @Describe({
    ...aQuestion,
    summary: 'How likely rows are, and which of their cells are unusual',
    body: scoreRequestSchema,
    answers: { 200: scoreAnswerSchema },
  })
  async score(
    @Param(path) { id }: Path,
    @Query(query) wanted: Wanted,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.#ask('score', id, wanted, request, response);
  }

  @Post(':id/sample')
  @Describe({
    ...aQuestion,
    summary: 'Sample rows; the same seed gives the same rows',
    body: sampleRequestSchema,
    answers: { 200: sampleAnswerSchema },
  })
  async sample(
    @Param(path) { id }: Path,
    @Query(query) wanted: Wanted,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.#ask('sample', id, wanted, request, response);
  }

  @Post(':id/complete')
  @Describe({
    ...aQuestion,
    summary: 'Fill in what is null or absent in rows; the same seed fills in the same',
    body: completeRequestSchema,
    answers: { 200: completeAnswerSchema },
  })
  async complete(
    @Param(path) { id }: Path,
    @Query(query) wanted: Wanted,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.#ask('complete', id, wanted, request, response);
  }

  @Post(':id/check')
  @Describe({
    ...aQuestion,
    summary: 'Cells of rows that are probably wrong, and columns whose values are others than in training',
    body: checkRequestSchema,
    answers: { 200: checkAnswerSchema },
  })
  async check(
    @Param(path) { id }: Path,
    @Query(query) wanted: Wanted,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.#ask('check', id, wanted, request, response);
  }

  @Post(':id/alarms')
  @Describe({
    ...aQuestion,
    summary: 'Which rows are alarms, at a rate that usual rows promise, and columns that have drifted',
    body: alarmsRequestSchema,
    answers: { 200: alarmsAnswerSchema },
  })
  async alarms(
    @Param(path) { id }: Path,
    @Query(query) wanted: Wanted,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.#ask('alarms', id, wanted, request, response);
  }

  async #ask(
    kind: Exclude<ModelComputation, 'compare' | 'importance'>,
    id: string,
    wanted: Wanted,
    request: Request,
    response: Response,
  ): Promise<StreamableFile> {
    const { name } = chosenModel(await this.life.status(id), wanted);
    const body = await this.bodies.text(request, response);
    const answer = await this.questions.ask(kind, { run: id, wanted: name }, body, signalOf(request));
    return new StreamableFile(answer, { type: 'application/json; charset=utf-8' });
  }
}
