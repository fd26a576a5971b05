import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { runRequestSchema, type RunRequest } from '@orchard/contracts';
import { datasetFacts, resolveRun } from '@orchard/pipeline';
import type { RunLife } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import type { z } from 'zod';
import type { Config } from '../config.js';
import { CoordinatorError } from '../errors.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import {
  networkChoiceSchema,
  overviewDocument,
  runPageSchema,
  runStatusSchema,
  type RunDocument,
} from './run-documents.js';
import { runListQuerySchema, runPathSchema, type RunPath } from './run-queries.js';
import { RunStatuses } from './run-statuses.js';

const path = new ContractPipe(runPathSchema, 'path');

/** Asking for runs and looking after them. Every answer but a page is the run's status after what was asked for. */
@Controller('v1/runs')
export class RunsController {
  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(Port.store) private readonly store: ObjectStore,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(RunStatuses) private readonly statuses: RunStatuses,
  ) {}

  @Post()
  @HttpCode(202)
  @Describe({
    summary: 'Submit a run; the same specification is the same run',
    tag: 'runs',
    body: runRequestSchema,
    answers: { 202: runStatusSchema },
    problems: [404, 409, 413, 415, 422],
  })
  async submit(@Body(new ContractPipe(runRequestSchema, 'run request')) request: RunRequest): Promise<RunDocument> {
    const { train, valid, test = null, ...words } = request;
    const [trainFacts, validFacts, testFacts] = await Promise.all([
      datasetFacts(this.store, train),
      datasetFacts(this.store, valid),
      test === null ? null : datasetFacts(this.store, test),
    ]);
    const { specification, choice } = resolveRun(words, { train: trainFacts, valid: validFacts, test: testFacts });
    this.#checkRounds(specification.rounds);
    const { id } = await this.life.submit(specification, choice);
    return this.statuses.get(id);
  }

  @Get()
  @Describe({ summary: 'List the runs by id', tag: 'runs', query: runListQuerySchema, answers: { 200: runPageSchema } })
  async list(
    @Query(new QueryPipe(runListQuerySchema)) query: z.infer<typeof runListQuerySchema>,
  ): Promise<z.infer<typeof runPageSchema>> {
    const { runs, next } = await this.life.list(query);
    return { runs: runs.map(overviewDocument), next };
  }

  @Get(':id')
  @Describe({
    summary: 'How a run is getting on',
    tag: 'runs',
    path: runPathSchema,
    answers: { 200: runStatusSchema },
    problems: [404],
  })
  get(@Param(path) { id }: RunPath): Promise<RunDocument> {
    return this.statuses.get(id);
  }

  @Post(':id/cancel')
  @HttpCode(202)
  @Describe({
    summary: 'Stop all work on a run within seconds; what is stored stays',
    tag: 'runs',
    path: runPathSchema,
    answers: { 202: runStatusSchema },
    problems: [404, 409],
  })
  async cancel(@Param(path) { id }: RunPath): Promise<RunDocument> {
    await this.life.cancel(id);
    return this.statuses.get(id);
  }

  @Post(':id/resume')
  @HttpCode(202)
  @Describe({
    summary: 'Go on with what a run is missing, and try again what was quarantined',
    tag: 'runs',
    path: runPathSchema,
    answers: { 202: runStatusSchema },
    problems: [404, 409],
  })
  async resume(@Param(path) { id }: RunPath): Promise<RunDocument> {
    await this.life.resume(id);
    return this.statuses.get(id);
  }

  @Post(':id/select')
  @HttpCode(202)
  @Describe({
    summary: 'Ask for another network of a run, without training anew',
    tag: 'runs',
    path: runPathSchema,
    body: networkChoiceSchema,
    answers: { 202: runStatusSchema },
    problems: [404, 409, 413, 415],
  })
  async select(
    @Param(path) { id }: RunPath,
    @Body(new ContractPipe(networkChoiceSchema, 'network choice')) choice: z.infer<typeof networkChoiceSchema>,
  ): Promise<RunDocument> {
    await this.life.select(id, choice);
    return this.statuses.get(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @Describe({
    summary: 'Remove a run and all it has stored; the data sets stay',
    tag: 'runs',
    path: runPathSchema,
    answers: { 204: null },
    problems: [404, 409],
  })
  remove(@Param(path) { id }: RunPath): Promise<void> {
    return this.life.remove(id);
  }

  #checkRounds(rounds: number): void {
    const most = this.config.limits.rounds;
    if (rounds <= most) return;
    throw new CoordinatorError('over-limit', {
      got: `${rounds} rounds`,
      expected: `at most ${most} on this coordinator`,
      where: 'run request, "rounds"',
      remedy: 'Ask for fewer rounds, or raise ORCHARD_MAX_ROUNDS.',
    });
  }
}
