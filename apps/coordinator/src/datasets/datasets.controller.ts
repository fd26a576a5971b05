import { Controller, Delete, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { DatasetFacts } from '@orchard/contracts';
import { datasetFactsSchema } from '@orchard/contracts';
import { artefactNames, datasetFacts, storeDataset } from '@orchard/pipeline';
import type { Datasets } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { PersonLimits } from '../access/person-limits.js';
import { submitterOf } from '../access/submitter.js';
import type { Config } from '../config.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { drain } from '../http/drain.js';
import { contextOf } from '../http/request-context.js';
import { RequestMemory, type MemoryShare } from '../http/request-memory.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { RequestThreads } from '../request-threads.js';
import {
  datasetListQuerySchema,
  datasetPageSchema,
  datasetPathSchema,
  overviewOf,
  type UploadQuery,
} from './dataset-documents.js';
import { describeQuerySchema, descriptionSchema, tableTypes, type DescribeQuery } from './describe-documents.js';
import type { HashedRows } from './hash-rows.js';
import { withKeptBody } from './kept-body.js';
import type { RowsBody } from './read-rows.js';
import type { SplitRows } from './split-body.js';
import { RowsRequestPipe, rowsQuerySchema, type RowsRequest } from './rows-request.js';
import { splitQuerySchema, splitsSchema, type SplitQuery, type SplitsAnswer } from './split-documents.js';
import { askAboutTable } from './table-body.js';
import { formatOf, isPacked, readPacked, uploadBytes, uploadTypes } from './upload-body.js';
import { UploadGate } from './upload-gate.js';

const path = new ContractPipe(datasetPathSchema, 'path');
type Path = z.infer<typeof datasetPathSchema>;
type Description = z.infer<typeof descriptionSchema>;
/** What is said of a request whose body is the file of a table. */
const aTable = {
  tag: 'datasets',
  body: Object.keys(tableTypes),
  problems: [408, 413, 415, 422, 429, 503],
} as const;

/** A data set is one matrix, named by the hash of its content: what is sent twice is stored once. */
@Controller('v1/datasets')
export class DatasetsController {
  readonly #gate: UploadGate;

  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(Port.store) private readonly store: ObjectStore,
    @Inject(Port.datasets) private readonly datasets: Datasets,
    @Inject(RequestMemory) private readonly memory: RequestMemory,
    @Inject(RequestThreads) private readonly threads: RequestThreads,
    @Inject(PersonLimits) private readonly limits: PersonLimits,
  ) {
    this.#gate = new UploadGate(config.limits.concurrentUploads);
  }

  @Post()
  @Describe({
    summary:
      'Store rows: the body is the file, plain or gzip. With valid-fraction or test-fraction the rows of a table are shared out and the parts stored, as `orchard submit` does; with describe=true nothing is stored. The answer is 201 where a data set is new, else 200',
    tag: 'datasets',
    query: rowsQuerySchema,
    body: [...new Set([...uploadTypes, ...Object.keys(tableTypes)])],
    answers: { 200: z.union([datasetFactsSchema, splitsSchema, descriptionSchema]), 201: datasetFactsSchema },
    problems: [404, 408, 413, 415, 422, 429, 503],
  })
  async take(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query(new RowsRequestPipe()) asked: RowsRequest,
  ): Promise<DatasetFacts | SplitsAnswer | Description> {
    if (asked.wanted === 'description') return this.describe(request, asked.query);
    if (asked.wanted === 'splits') return this.split(request, asked.query);
    return this.#pass(request, async (share) => {
      await this.limits.requireRoomForRows(submitterOf(contextOf(request).caller));
      const { bytes, facts } = await this.#read(request, asked.query, share);
      const stored = await this.store.head(artefactNames.datasetFacts(facts.id));
      response.status(stored === null ? 201 : 200);
      await storeDataset(this.store, facts, bytes);
      return facts;
    });
  }

  @Post('describe')
  @Describe({
    ...aTable,
    summary: 'What would be learned of a table: the body is the file, plain or gzip; nothing is stored',
    replacedBy: 'POST /v1/datasets?describe=true',
    query: describeQuerySchema,
    answers: { 200: descriptionSchema },
  })
  describe(
    @Req() request: Request,
    @Query(new QueryPipe(describeQuerySchema)) query: DescribeQuery,
  ): Promise<Description> {
    return this.#pass(request, (share) =>
      askAboutTable(this.threads, 'describeTable', { request, query, limits: this.#limits(), share }),
    );
  }

  @Post('split')
  @Describe({
    ...aTable,
    summary:
      'Share the rows of a table out and store the parts, as `orchard submit` does: the body is the file, plain or gzip',
    replacedBy: 'POST /v1/datasets?valid-fraction=',
    query: splitQuerySchema,
    answers: { 200: splitsSchema },
  })
  split(@Req() request: Request, @Query(new QueryPipe(splitQuerySchema)) query: SplitQuery): Promise<SplitsAnswer> {
    return this.#pass(request, async (share) => {
      await this.limits.requireRoomForRows(submitterOf(contextOf(request).caller));
      const asked = { request, query, limits: this.#limits(), share };
      const split = await askAboutTable<SplitQuery, SplitRows>(this.threads, 'splitTable', asked);
      const { facts, train, valid, test, ...answer } = split;
      for (const [part, rows] of [train, valid, test].entries())
        if (rows !== null) await storeDataset(this.store, facts[part]!, rows);
      return { ...answer, train: facts[0]!.id, valid: facts[1]!.id, test: facts[2]?.id ?? null };
    });
  }

  @Get()
  @Describe({
    summary: 'List the data sets by id',
    tag: 'datasets',
    query: datasetListQuerySchema,
    answers: { 200: datasetPageSchema },
  })
  async list(
    @Query(new QueryPipe(datasetListQuerySchema)) query: z.infer<typeof datasetListQuerySchema>,
  ): Promise<z.infer<typeof datasetPageSchema>> {
    const { datasets, unreadable, next } = await this.datasets.list(query);
    return { datasets: datasets.map(overviewOf), unreadable: [...unreadable], next };
  }

  @Get(':id')
  @Describe({
    summary: 'What is known of a data set',
    tag: 'datasets',
    path: datasetPathSchema,
    answers: { 200: datasetFactsSchema },
    problems: [404],
  })
  get(@Param(path) { id }: Path): Promise<DatasetFacts> {
    return datasetFacts(this.store, id);
  }

  @Delete(':id')
  @Describe({
    summary: 'Remove a data set; refused while a run needs it',
    tag: 'datasets',
    path: datasetPathSchema,
    answers: { 204: null },
    problems: [404, 409],
  })
  remove(@Param(path) { id }: Path): Promise<void> {
    return this.datasets.remove(id);
  }

  #limits(): { readonly bytes: number; readonly cells: number; readonly pace: Config['limits']['pace'] } {
    const { uploadBytes: bytes, cells, pace } = this.config.limits;
    return { bytes, cells, pace };
  }

  /** Does what takes a body of a file, with memory of its own, where there is room for one more. */
  async #pass<T>(request: Request, work: (share: MemoryShare) => Promise<T>): Promise<T> {
    const share = this.memory.share();
    try {
      return await this.#gate.pass(() => work(share));
    } catch (error) {
      drain(request);
      throw error;
    } finally {
      share.release();
    }
  }

  /** Reading and hashing rows takes seconds, which threads do. They get the buffer itself, and give it back. */
  async #read(request: Request, query: UploadQuery, share: MemoryShare): Promise<HashedRows> {
    const limits = this.#limits();
    if (isPacked(request)) {
      const packed = await readPacked(request, limits, share);
      return this.threads.call('hashRows', packed, request, [packed.buffer]);
    }
    const format = query.format ?? formatOf(request);
    const training = query['categories-of'];
    const categoriesOf = training === undefined ? undefined : (await datasetFacts(this.store, training)).names;
    return withKeptBody(uploadBytes(request, limits), 'orchard submit', (path) => {
      const body: RowsBody = { path, query, format, cells: limits.cells, categoriesOf, memory: share.counts };
      return this.threads.call('readRows', body, request);
    });
  }
}
