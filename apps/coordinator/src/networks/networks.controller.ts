import { Controller, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  askComplete,
  askSample,
  askScore,
  completeAnswerSchema,
  completeRequestSchema,
  completeRowsAnswerSchema,
  completeRowsRequestSchema,
  sampleAnswerSchema,
  sampleRequestSchema,
  scoreAnswerSchema,
  scoreRequestSchema,
  tableSampleAnswerSchema,
  tableSampleRequestSchema,
  tableScoreAnswerSchema,
  tableScoreRequestSchema,
  type CompleteAnswer,
  type CompleteRowsAnswer,
  type SampleAnswer,
  type ScoreAnswer,
  type TableSampleAnswer,
  type TableScoreAnswer,
} from '@orchard/questions';
import type { DensityModel } from '@orchard/model';
import type { RunLife } from '@orchard/runs';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { JsonBodies } from '../http/json-body.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { chosenModel } from '../runs/wanted.js';
import { networkPathSchema, networkQuerySchema } from './network-documents.js';
import { Networks } from './networks.js';

const path = new ContractPipe(networkPathSchema, 'path');
const query = new QueryPipe(networkQuerySchema);
type Path = z.infer<typeof networkPathSchema>;
type Wanted = z.infer<typeof networkQuerySchema>;

/**
 * Small questions to a finished network; large ones are for the command line and a fetched file. A body is read once its network is
 * there.
 */
@Controller('v1/networks')
export class NetworksController {
  constructor(
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(Networks) private readonly networks: Networks,
    @Inject(JsonBodies) private readonly bodies: JsonBodies,
  ) {}

  @Post(':id/score')
  @HttpCode(200)
  @Describe({
    summary: 'How likely rows are, and which of their dimensions are odd',
    tag: 'networks',
    path: networkPathSchema,
    query: networkQuerySchema,
    body: z.union([scoreRequestSchema, tableScoreRequestSchema]),
    answers: { 200: z.union([scoreAnswerSchema, tableScoreAnswerSchema]) },
    problems: [404, 408, 409, 413, 415, 422],
  })
  async score(
    @Param(path) { id }: Path,
    @Query(query) wanted: Wanted,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScoreAnswer | TableScoreAnswer> {
    return askScore(await this.#network(id, wanted), await this.bodies.read(request, response));
  }

  @Post(':id/sample')
  @HttpCode(200)
  @Describe({
    summary: 'Draw rows; the same seed draws the same rows',
    tag: 'networks',
    path: networkPathSchema,
    query: networkQuerySchema,
    body: z.union([sampleRequestSchema, tableSampleRequestSchema]),
    answers: { 200: z.union([sampleAnswerSchema, tableSampleAnswerSchema]) },
    problems: [404, 408, 409, 413, 415, 422],
  })
  async sample(
    @Param(path) { id }: Path,
    @Query(query) wanted: Wanted,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SampleAnswer | TableSampleAnswer> {
    return askSample(await this.#network(id, wanted), await this.bodies.read(request, response));
  }

  @Post(':id/complete')
  @HttpCode(200)
  @Describe({
    summary: 'Fill what is null, or of a table absent, in rows; the same seed fills in the same',
    tag: 'networks',
    path: networkPathSchema,
    query: networkQuerySchema,
    body: z.union([completeRowsRequestSchema, completeRequestSchema]),
    answers: { 200: z.union([completeRowsAnswerSchema, completeAnswerSchema]) },
    problems: [404, 408, 409, 413, 415, 422],
  })
  async complete(
    @Param(path) { id }: Path,
    @Query(query) wanted: Wanted,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CompleteRowsAnswer | CompleteAnswer> {
    return askComplete(await this.#network(id, wanted), await this.bodies.read(request, response));
  }

  async #network(id: string, wanted: Wanted): Promise<DensityModel> {
    return this.networks.open(id, chosenModel(await this.life.status(id), wanted).name);
  }
}
