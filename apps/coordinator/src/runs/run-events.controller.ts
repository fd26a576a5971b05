import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { contextOf } from '../http/request-context.js';
import { answerOf } from '../http/problem.js';
import { Port } from '../ports.js';
import { Describe } from '../openapi/describe.js';
import { runPathSchema } from './run-queries.js';
import { RunStatuses } from './run-statuses.js';

/** A comment now and then keeps proxies from closing a quiet stream. */
const HEARTBEAT_MILLISECONDS = 15_000;

/** Server-sent events: first a run's status as it is, then each change, and the end of the stream with the run's. */
@Controller('v1/runs')
export class RunEventsController {
  constructor(
    @Inject(RunStatuses) private readonly statuses: RunStatuses,
    @Inject(Port.stopping) private readonly stopping: AbortSignal,
  ) {}

  @Get(':id/events')
  @Describe({
    summary: 'Follow a run: `status` events, each a RunStatus; the stream ends when the run does',
    tag: 'runs',
    path: runPathSchema,
    answers: { 200: 'text/event-stream' },
    problems: [404],
  })
  async follow(
    @Param(new ContractPipe(runPathSchema, 'path')) { id }: z.infer<typeof runPathSchema>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const ending = AbortSignal.any([gone.signal, this.stopping]);
    const statuses = this.statuses.follow(id, ending);
    // an unknown run is to be answered with 404, so the first status comes before the headers
    const first = await statuses.next();
    response.status(200).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    response.flushHeaders();
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MILLISECONDS);
    try {
      let event = 0;
      for (let next = first; next.done !== true && !ending.aborted; next = await statuses.next()) {
        response.write(`id: ${event++}\nevent: status\ndata: ${JSON.stringify(next.value)}\n\n`);
      }
    } catch (error) {
      const { problem } = answerOf(error, contextOf(request).id);
      response.write(`event: problem\ndata: ${JSON.stringify(problem)}\n\n`);
    } finally {
      clearInterval(heartbeat);
      response.end();
    }
  }
}
