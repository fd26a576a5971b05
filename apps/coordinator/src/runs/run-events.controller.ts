import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Config } from '../config.js';
import { ContractPipe } from '../http/contract-pipe.js';
import { answerOf } from '../http/problem.js';
import { callerOf } from '../http/rate-limit.js';
import { contextOf } from '../http/request-context.js';
import { Describe } from '../openapi/describe.js';
import { Port } from '../ports.js';
import { runPathSchema } from './run-queries.js';
import { StatusFeeds } from './status-feeds.js';
import { StreamSlots } from './stream-slots.js';

/** A comment now and then keeps proxies from closing a quiet stream. */
const HEARTBEAT_MILLISECONDS = 15_000;
/** Who has not taken a status in this time is not there any more. */
const DEAF_MILLISECONDS = 60_000;

/** Server-sent events: first a run's status as it is, then each change, and the end of the stream with the run's. */
@Controller('v1/runs')
export class RunEventsController {
  readonly #slots: StreamSlots;
  readonly #open = new Set<AbortController>();

  constructor(
    @Inject(StatusFeeds) private readonly feeds: StatusFeeds,
    @Inject(Port.stopping) private readonly stopping: AbortSignal,
    @Inject(Port.config) { limits }: Config,
  ) {
    this.#slots = new StreamSlots(limits.streams);
    // one listener for all streams: hundreds on one signal look like a leak
    stopping.addEventListener('abort', () => {
      for (const gone of this.#open) gone.abort();
    });
  }

  @Get(':id/events')
  @Describe({
    summary: 'Follow a run: `status` events, each a RunStatus; the stream ends when the run does',
    tag: 'runs',
    path: runPathSchema,
    answers: { 200: 'text/event-stream' },
    problems: [404, 429, 503],
  })
  async follow(
    @Param(new ContractPipe(runPathSchema, 'path')) { id }: z.infer<typeof runPathSchema>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const leave = this.#slots.enter(callerOf(request));
    const gone = new AbortController();
    const end = (): void => gone.abort();
    response.once('close', end);
    this.#open.add(gone);
    if (response.closed || this.stopping.aborted) end();
    try {
      await this.#send(id, request, response, gone.signal);
    } finally {
      this.#open.delete(gone);
      response.off('close', end);
      leave();
    }
  }

  async #send(id: string, request: Request, response: Response, ending: AbortSignal): Promise<void> {
    const statuses = this.feeds.follow(id, ending);
    // an unknown run is to be answered with 404, so the first status comes before the headers
    const first = await statuses.next();
    response.status(200).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    response.flushHeaders();
    if (request.method === 'HEAD') {
      await statuses.return();
      response.end();
      return;
    }
    const heartbeat = setInterval(() => {
      if (!response.writableNeedDrain) response.write(': still here\n\n');
    }, HEARTBEAT_MILLISECONDS);
    try {
      let event = 0;
      for (let next = first; next.done !== true && !ending.aborted; next = await statuses.next()) {
        response.cork();
        response.write(`id: ${event++}\n`);
        response.write(next.value);
        response.uncork();
        // the next status is asked for when this one is out
        if (response.writableNeedDrain && !(await isDrained(response, ending))) response.destroy();
      }
    } catch (error) {
      const { problem } = answerOf(error, contextOf(request).id);
      response.write(`event: problem\ndata: ${JSON.stringify(problem)}\n\n`);
    } finally {
      clearInterval(heartbeat);
      await statuses.return();
      response.end();
    }
  }
}

/** False where the reader takes nothing for {@link DEAF_MILLISECONDS}. */
function isDrained(response: Response, ending: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (drained: boolean): void => {
      clearTimeout(timer);
      response.off('drain', onDrain);
      ending.removeEventListener('abort', onDrain);
      resolve(drained);
    };
    const onDrain = (): void => settle(true);
    const timer = setTimeout(() => settle(false), DEAF_MILLISECONDS);
    response.once('drain', onDrain);
    ending.addEventListener('abort', onDrain);
  });
}
