import { Controller, Inject, Param, Post, Query, Req, type StreamableFile } from '@nestjs/common';
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
import type { Request } from 'express';
import type { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
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

/** Small questions to a finished network; large ones are for the command line and a fetched file. */
@Controller('v1/networks')
export class NetworksController {
  constructor(@Inject(ModelQuestions) private readonly questions: ModelQuestions) {}

  @Post(':id/score')
  @Describe({
    ...aQuestion,
    summary: 'How likely rows are, and which of their cells are unusual',
    body: scoreRequestSchema,
    answers: { 200: scoreAnswerSchema },
  })
  score(@Param(path) { id }: Path, @Query(query) wanted: Wanted, @Req() request: Request): Promise<StreamableFile> {
    return this.questions.ask('score', request, { run: id, wanted });
  }

  @Post(':id/sample')
  @Describe({
    ...aQuestion,
    summary: 'Sample rows; the same seed gives the same rows',
    body: sampleRequestSchema,
    answers: { 200: sampleAnswerSchema },
  })
  sample(@Param(path) { id }: Path, @Query(query) wanted: Wanted, @Req() request: Request): Promise<StreamableFile> {
    return this.questions.ask('sample', request, { run: id, wanted });
  }

  @Post(':id/complete')
  @Describe({
    ...aQuestion,
    summary: 'Fill in what is null or absent in rows; the same seed fills in the same',
    body: completeRequestSchema,
    answers: { 200: completeAnswerSchema },
  })
  complete(@Param(path) { id }: Path, @Query(query) wanted: Wanted, @Req() request: Request): Promise<StreamableFile> {
    return this.questions.ask('complete', request, { run: id, wanted });
  }

  @Post(':id/check')
  @Describe({
    ...aQuestion,
    summary: 'Cells of rows that are probably wrong, and columns whose values are others than in training',
    body: checkRequestSchema,
    answers: { 200: checkAnswerSchema },
  })
  check(@Param(path) { id }: Path, @Query(query) wanted: Wanted, @Req() request: Request): Promise<StreamableFile> {
    return this.questions.ask('check', request, { run: id, wanted });
  }

  @Post(':id/alarms')
  @Describe({
    ...aQuestion,
    summary: 'Which rows are alarms, at a rate that usual rows promise, and columns that have drifted',
    body: alarmsRequestSchema,
    answers: { 200: alarmsAnswerSchema },
  })
  alarms(@Param(path) { id }: Path, @Query(query) wanted: Wanted, @Req() request: Request): Promise<StreamableFile> {
    return this.questions.ask('alarms', request, { run: id, wanted });
  }
}
