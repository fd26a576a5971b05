import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { modelSummarySchema, type RunStatus } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import type { RunLife } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import type { Request, Response } from 'express';
import { CoordinatorError } from '../errors.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { RequestMemory } from '../http/request-memory.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port, type Ports } from '../ports.js';
import { artefactQuerySchema, runPathSchema, type ArtefactQuery, type RunPath } from './run-queries.js';
import { checkModelFile, checkReport, checkSummary } from './model-check.js';
import { namedReport } from './named-report.js';
import { ShownRuns } from './shown-runs.js';
import { chosenModel, wayToModel } from './wanted.js';

const path = new ContractPipe(runPathSchema, 'path');
const query = new QueryPipe(artefactQuerySchema);
const aFile = { tag: 'runs', path: runPathSchema, query: artefactQuerySchema, problems: [404, 409] } as const;

/** Bytes of an object in memory at once, however large it is. */
const PIECE = 4 << 20;
/** Who takes nothing of a download in this time is not there any more. */
const DEAF_MILLISECONDS = 60_000;
/** How long a presigned URL can be used. */
const PRESIGNED_SECONDS = 300;

/** The three files that a run ends in, as they are in the store. */
@Controller('v1/runs')
export class ArtefactsController {
  constructor(
    @Inject(Port.store) private readonly store: ObjectStore,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(RequestMemory) private readonly memory: RequestMemory,
    @Inject(ShownRuns) private readonly shown: ShownRuns,
    @Inject(Port.presign) private readonly presign: Ports['presign'],
  ) {}

  @Get([':id/network', ':id/model'])
  @Describe({
    ...aFile,
    summary: 'The model file; /model is the same as /network',
    answers: { 200: 'application/vnd.msgpack', 302: null },
  })
  network(
    @Param(path) run: RunPath,
    @Query(query) wanted: ArtefactQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.#send(run.id, wanted, 'application/vnd.msgpack', 'msgpack', artefactNames.network, request, response);
  }

  @Get(':id/report')
  @Describe({
    ...aFile,
    summary: 'The report, one page of HTML',
    answers: { 200: 'text/html', 302: null },
  })
  report(
    @Param(path) run: RunPath,
    @Query(query) wanted: ArtefactQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.#send(run.id, wanted, 'text/html; charset=utf-8', 'html', artefactNames.report, request, response);
  }

  @Get(':id/summary')
  @Describe({
    ...aFile,
    summary: 'The figures of a run and of one of its models',
    answers: { 200: modelSummarySchema, 302: null },
  })
  summary(
    @Param(path) run: RunPath,
    @Query(query) wanted: ArtefactQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.#send(run.id, wanted, 'application/json', 'json', artefactNames.summary, request, response);
  }

  async #send(
    id: string,
    wanted: ArtefactQuery,
    type: string,
    extension: keyof typeof checks,
    nameOf: (run: string, wanted: string) => string,
    request: Request,
    response: Response,
  ): Promise<void> {
    const run = await this.life.status(id);
    const chosen = chosenModel(run, wanted);
    const name = nameOf(id, chosen.name);
    const entry = await this.store.head(name);
    if (entry === null) throw notThere(run, chosen.name);
    await checks[extension](this.store, { run: id, wanted: chosen.name });
    const title = extension === 'html' ? ((await this.shown.named(id, run)).name ?? null) : null;
    // the store's own page knows no name
    if (wanted.redirect === '1' && this.presign !== null && title === null) {
      response.redirect(302, await this.presign(name, PRESIGNED_SECONDS));
      return;
    }
    const share = this.memory.share();
    // a piece on its way out, and the next one; a page that is given a name is in memory twice
    share.take(title === null ? Math.min(2 * PIECE, entry.size) : 2 * entry.size);
    try {
      const page = title === null ? null : namedReport(await this.store.get(name), title);
      await this.#answer({ id, name, type, extension, chosen: chosen.name, page, size: entry.size }, request, response);
    } finally {
      share.release();
    }
  }

  /** @param file its page is the whole of it where it is not as stored */
  async #answer(
    file: {
      readonly id: string;
      readonly name: string;
      readonly type: string;
      readonly extension: string;
      readonly chosen: string;
      readonly page: Uint8Array | null;
      readonly size: number;
    },
    request: Request,
    response: Response,
  ): Promise<void> {
    const { id, name, type, extension, chosen, page, size } = file;
    response.status(200).set({
      'Content-Type': type,
      'Content-Length': String(page?.length ?? size),
      // a report shows uploaded names: as a page of no origin it can ask nothing of this one
      'Content-Security-Policy': "sandbox allow-scripts; default-src 'unsafe-inline' data: blob:",
      'Content-Disposition': `inline; filename="${id.slice(0, 12)}-${chosen}.${extension}"`,
    });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    try {
      response.setTimeout(DEAF_MILLISECONDS, () => response.destroy());
      await pipeline(page === null ? Readable.from(this.#pieces(name, size)) : Readable.from([page]), response);
    } catch (error) {
      // a client that left early needs no answer
      if (!response.destroyed || !isClientGone(error)) throw error;
    }
  }

  async *#pieces(name: string, size: number): AsyncGenerator<Uint8Array, void> {
    for (let start = 0; start < size; start += PIECE) {
      yield await this.store.get(name, { start, end: Math.min(size, start + PIECE) });
    }
  }
}

/** Each of the files is held against itself before it goes out. */
const checks = { msgpack: checkModelFile, json: checkSummary, html: checkReport } as const;

function isClientGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function notThere(run: RunStatus, wanted: string): CoordinatorError {
  return new CoordinatorError('not-ready', {
    got: `run ${run.id} without ${wanted}`,
    expected: 'a run that has it',
    remedy: wayToModel(run),
  });
}
