import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import {
  runStatusSchema,
  seedSchema,
  sha256Schema,
  sheetRequestShape,
  sourceSchema,
  type BaseSpecification,
  type RunStatus,
} from '@orchard/contracts';
import { factsOfSplits, type RunDatasets } from '@orchard/pipeline';
import {
  evaluationOf,
  evaluationSchema,
  isEvaluation,
  readEvaluation,
  samplingOf,
  sliceName,
  slicesOf,
  type Evaluation,
  type ModelOfRun,
} from '@orchard/registry';
import { requireAllowed, RunSheets, type RunLife } from '@orchard/runs';
import { counted, isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { submitterOf } from '../access/submitter.js';
import type { Config } from '../config.js';
import { CoordinatorError } from '../errors.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { QueryPipe } from '../http/query-pipe.js';
import { contextOf } from '../http/request-context.js';
import { RequestMemory } from '../http/request-memory.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { runPathSchema, type RunPath } from '../runs/run-queries.js';
import { Submissions } from '../runs/submissions.js';
import { chosenModel, type SheetWords } from '../runs/wanted.js';
import { networkPathSchema, networkQuerySchema } from './network-documents.js';

const samplingRequestSchema = z.strictObject({
  count: z.int().min(1).max(100_000_000).meta({ description: 'rows to sample' }),
  seed: seedSchema.default(0),
  rules: z
    .boolean()
    .default(true)
    .meta({ description: 'whether rows follow the rules that the model was trained with' }),
  ...sheetRequestShape,
});

const evaluationRequestSchema = z.strictObject({
  source: sourceSchema,
  missing: z
    .enum(['value', 'unknown'])
    .default('value')
    .meta({ description: 'what a missing value means: a value of its own, or any value' }),
  seed: seedSchema.default(0).meta({ description: 'of samples for unknown values' }),
  ...sheetRequestShape,
});

const slicePathSchema = z.strictObject({
  id: sha256Schema,
  slice: z.int().min(0).meta({ description: 'its number, from 0' }),
});

type NetworkPath = z.infer<typeof networkPathSchema>;
type NetworkQuery = z.infer<typeof networkQuerySchema>;

const path = new ContractPipe(networkPathSchema, 'path');
const query = new QueryPipe(networkQuerySchema);
const aQuestion = {
  tag: 'networks',
  path: networkPathSchema,
  query: networkQuerySchema,
  answers: { 202: runStatusSchema },
  problems: [404, 409, 413, 415, 422],
} as const;

/**
 * Questions to a model that are too large for one machine: each is a run of its own, whose tasks are slices, and has
 * status, cost and owner as any run. The same question is the same run.
 */
@Controller('v1')
export class AnswersController {
  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(Port.store) private readonly store: ObjectStore,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(RunSheets) private readonly sheets: RunSheets,
    @Inject(Submissions) private readonly submissions: Submissions,
    @Inject(RequestMemory) private readonly memory: RequestMemory,
  ) {}

  @Post('networks/:id/samplings')
  @Describe({
    ...aQuestion,
    summary: 'Have workers sample rows, by slices, to the same rows as one machine',
    body: samplingRequestSchema,
  })
  async sample(
    @Param(path) { id }: NetworkPath,
    @Query(query) wanted: NetworkQuery,
    @Body(new ContractPipe(samplingRequestSchema, 'sampling request')) asked: z.infer<typeof samplingRequestSchema>,
    @Req() request: Request,
  ): Promise<RunStatus> {
    const { count, seed, rules, ...said } = asked;
    const what = counted(count, 'row');
    return this.#begin(id, wanted, request, { said, what }, (datasets, model) =>
      samplingOf(datasets, { model, count, seed, rules }),
    );
  }

  @Post('networks/:id/evaluations')
  @Describe({
    ...aQuestion,
    summary: 'Have workers say how likely the rows of a bucket are, by parts, to the same figures as one machine',
    body: evaluationRequestSchema,
  })
  async evaluate(
    @Param(path) { id }: NetworkPath,
    @Query(query) wanted: NetworkQuery,
    @Body(new ContractPipe(evaluationRequestSchema, 'evaluation request'))
    asked: z.infer<typeof evaluationRequestSchema>,
    @Req() request: Request,
  ): Promise<RunStatus> {
    const { source, missing, seed, ...said } = asked;
    const { caller } = contextOf(request);
    requireAllowed(this.config.sources, source, { ...submitterOf(caller), role: caller.role });
    return this.#begin(id, wanted, request, { said, what: source }, (datasets, model) =>
      evaluationOf(datasets, { model, source, missing, seed }),
    );
  }

  @Get('runs/:id/slices/:slice')
  @Describe({
    summary: 'Some of the rows of a sampling: a packed matrix of codes, and its SHA-256 in the last 32 bytes',
    tag: 'runs',
    path: slicePathSchema,
    answers: { 200: 'application/octet-stream' },
    problems: [404, 409],
  })
  async slice(
    @Param(new QueryPipe(slicePathSchema)) { id, slice: number }: z.infer<typeof slicePathSchema>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { specification } = await this.life.status(id);
    const slice = slicesOf(specification)?.[number];
    if (slice === undefined) throw noAnswer(id, 'a sampling that has this slice');
    const name = sliceName(id, slice);
    const bytes = (await this.store.head(name))?.size ?? 0;
    const share = this.memory.share();
    share.take(bytes);
    // however slowly a client takes them
    response.once('close', () => share.release());
    if (response.closed) share.release();
    return new StreamableFile(await this.#stored(id, () => this.store.get(name)), {
      type: 'application/octet-stream',
    });
  }

  @Get('runs/:id/evaluation')
  @Describe({
    summary: 'How likely the rows of a source are, when an evaluation is done',
    tag: 'runs',
    path: runPathSchema,
    answers: { 200: evaluationSchema },
    problems: [404, 409],
  })
  async evaluation(@Param(new ContractPipe(runPathSchema, 'path')) { id }: RunPath): Promise<Evaluation> {
    const { specification } = await this.life.status(id);
    if (!isEvaluation(specification)) throw noAnswer(id, 'an evaluation');
    return this.#stored(id, () => readEvaluation(this.store, id));
  }

  async #begin(
    id: string,
    asked: NetworkQuery,
    request: Request,
    { said, what }: { readonly said: SheetWords; readonly what: string },
    specify: (datasets: RunDatasets, model: ModelOfRun) => BaseSpecification,
  ): Promise<RunStatus> {
    const status = await this.life.status(id);
    const { name: wanted } = chosenModel(status, asked);
    const datasets = await factsOfSplits(this.store, status.specification);
    const name = said.name ?? `${what} by ${(await this.sheets.of(id))?.name ?? id.slice(0, 12)}`.slice(0, 200);
    const specification = specify(datasets, { run: id, wanted });
    return this.submissions.submit(request, { specification, choice: {}, datasets, said: { ...said, name } });
  }

  async #stored<Result>(run: string, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      if (!isRefusal(error, 'missing', 'missing-artefact')) throw error;
      throw new CoordinatorError('not-ready', {
        got: `run ${run}, which has not stored it`,
        expected: 'a run that is done',
        remedy: 'Wait until the run is done.',
      });
    }
  }
}

function noAnswer(id: string, expected: string): CoordinatorError {
  return new CoordinatorError('not-found', {
    got: `run ${id}`,
    expected,
    remedy: 'Check the id: POST /v1/networks/{id}/samplings and /evaluations answer with it.',
  });
}
