import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { modelSummarySchema } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import type { RunLife } from '@orchard/runs';
import type { ByteRange, ObjectEntry, ObjectStore } from '@orchard/storage';
import type { Request, Response } from 'express';
import { CoordinatorError } from '../errors.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { RequestMemory } from '../http/request-memory.js';
import { clientHas, wantedPart } from '../http/wanted-part.js';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port, type Ports } from '../ports.js';
import { artefactQuerySchema, runPathSchema, type ArtefactQuery, type RunPath } from './run-queries.js';
import { ModelChecks } from './model-check.js';
import { namedReport } from './named-report.js';
import { ShownRuns } from './shown-runs.js';
import { chosenModel, wayToModel } from './wanted.js';

const path = new ContractPipe(runPathSchema, 'path');
const query = new QueryPipe(artefactQuerySchema);
const aFile = { tag: 'runs', path: runPathSchema, query: artefactQuerySchema, problems: [404, 409, 416] } as const;
/** Statuses beside 200: a part of the file, a file that the client has, and the store's own URL. */
const partOf = (type: string) => ({ 206: type, 302: null, 304: null });

/** Bytes of an object in memory at once, however large it is. */
const PIECE = 4 << 20;
/** Who takes nothing of a download in this time is not there any more. */
const DEAF_MILLISECONDS = 60_000;
/** How long a presigned URL can be used. */
const PRESIGNED_SECONDS = 300;

/** By how its name ends: each of the files is held against itself before it goes out. */
const files = {
  msgpack: { type: 'application/vnd.msgpack', nameOf: artefactNames.network, check: 'model' },
  json: { type: 'application/json', nameOf: artefactNames.summary, check: 'summary' },
  html: { type: 'text/html; charset=utf-8', nameOf: artefactNames.report, check: 'report' },
} as const;

/** The three files that a run ends in, as they are in the store. */
@Controller('v1/runs')
export class ArtefactsController {
  readonly #checks: ModelChecks;

  constructor(
    @Inject(Port.store) private readonly store: ObjectStore,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(RequestMemory) private readonly memory: RequestMemory,
    @Inject(ShownRuns) private readonly shown: ShownRuns,
    @Inject(Port.presign) private readonly presign: Ports['presign'],
  ) {
    this.#checks = new ModelChecks(store);
  }

  @Get([':id/network', ':id/model'])
  @Describe({
    ...aFile,
    summary: 'The model file; /model is the same as /network',
    answers: { 200: 'application/vnd.msgpack', ...partOf('application/vnd.msgpack') },
  })
  network(
    @Param(path) run: RunPath,
    @Query(query) wanted: ArtefactQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.#send('msgpack', run.id, wanted, request, response);
  }

  @Get(':id/report')
  @Describe({
    ...aFile,
    summary: 'The report, one page of HTML',
    answers: { 200: 'text/html', ...partOf('text/html') },
  })
  report(
    @Param(path) run: RunPath,
    @Query(query) wanted: ArtefactQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.#send('html', run.id, wanted, request, response);
  }

  @Get(':id/summary')
  @Describe({
    ...aFile,
    summary: 'The figures of a run and of one of its models',
    answers: { 200: modelSummarySchema, ...partOf('application/json') },
  })
  summary(
    @Param(path) run: RunPath,
    @Query(query) wanted: ArtefactQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.#send('json', run.id, wanted, request, response);
  }

  async #send(
    extension: keyof typeof files,
    id: string,
    wanted: ArtefactQuery,
    request: Request,
    response: Response,
  ): Promise<void> {
    const run = await this.life.status(id);
    const chosen = chosenModel(run, wanted);
    const { type, nameOf, check } = files[extension];
    const name = nameOf(id, chosen.name);
    const entry = await this.store.head(name);
    if (entry === null)
      throw new CoordinatorError('not-ready', {
        got: `run ${run.id} without ${chosen.name}`,
        expected: 'a run that has it',
        remedy: wayToModel(run),
      });
    const title = extension === 'html' ? ((await this.shown.named(id, run)).name ?? null) : null;
    // the store's own page knows no name
    const isRedirected = wanted.redirect === '1' && this.presign !== null && title === null;
    if (title === null && !isRedirected) {
      const tag = tagOf(entry);
      // it may be kept, but who may see it is asked each time
      response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
      if (clientHas(request, tag)) {
        response.status(304).end();
        return;
      }
    }
    // no byte of it goes out otherwise
    if (request.method !== 'HEAD') await this.#checks[check]({ run: id, wanted: chosen.name });
    if (isRedirected) {
      response.redirect(302, await this.presign!(name, PRESIGNED_SECONDS));
      return;
    }
    const headers = {
      'Content-Type': type,
      // a report shows uploaded names: as a page of no origin it can ask nothing of this one
      'Content-Security-Policy': "sandbox allow-scripts; default-src 'unsafe-inline' data: blob:",
      'Content-Disposition': `inline; filename="${id.slice(0, 12)}-${chosen.name}.${extension}"`,
    };
    const share = this.memory.share();
    try {
      if (title === null) {
        // a piece on its way out, and the next one
        share.take(Math.min(2 * PIECE, entry.size));
        await this.#answerStored(entry, headers, request, response);
      } else {
        // in memory twice
        share.take(2 * entry.size);
        const page = namedReport(await this.store.get(name), title);
        response.status(200).set({ ...headers, 'Content-Length': String(page.length) });
        await send(Readable.from([page]), request, response);
      }
    } finally {
      share.release();
    }
  }

  /** A file as it is stored, or the part of it that is asked for. */
  async #answerStored(
    entry: ObjectEntry,
    headers: Readonly<Record<string, string>>,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { name, size } = entry;
    response.status(200);
    const part = wantedPart(request, size, tagOf(entry));
    const { start, end } = part ?? { start: 0, end: size };
    response.set({ ...headers, 'Accept-Ranges': 'bytes', 'Content-Length': String(end - start) });
    if (part !== null) response.status(206).set('Content-Range', `bytes ${start}-${end - 1}/${size}`);
    await send(Readable.from(this.#pieces(name, { start, end })), request, response);
  }

  async *#pieces(name: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array, void> {
    for (let from = start; from < end; from += PIECE) {
      yield await this.store.get(name, { start: from, end: Math.min(end, from + PIECE) });
    }
  }
}

/** Stored bytes never change under their name: what is removed and trained again has another time. */
const tagOf = ({ size, storedAt }: ObjectEntry): string =>
  `"${size.toString(36)}-${Math.trunc(storedAt).toString(36)}"`;

async function send(body: Readable, request: Request, response: Response): Promise<void> {
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    response.setTimeout(DEAF_MILLISECONDS, () => response.destroy());
    await pipeline(body, response);
  } catch (error) {
    // a client that left early needs no answer
    if (!response.destroyed || !isClientGone(error)) throw error;
  }
}

function isClientGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
