import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { EventFeeds } from '../http/event-feeds.js';
import { EventStreams } from '../http/event-stream.js';
import { Describe } from '../openapi/describe.js';
import { runPathSchema } from './run-queries.js';
import { ShownRuns } from './shown-runs.js';

/** Server-sent events: first a run's status as it is, then each change, and the end of the stream with the run's. */
@Controller('v1/runs')
export class RunEventsController {
  constructor(
    @Inject(ShownRuns) private readonly runs: ShownRuns,
    @Inject(EventFeeds) private readonly feeds: EventFeeds,
    @Inject(EventStreams) private readonly streams: EventStreams,
  ) {}

  @Get(':id/events')
  @Describe({
    summary: 'Follow a run: `status` events, each a RunStatus; the stream ends when the run does',
    tag: 'runs',
    path: runPathSchema,
    answers: { 200: 'text/event-stream' },
    problems: [404, 429, 503],
  })
  follow(
    @Param(new ContractPipe(runPathSchema, 'path')) { id }: z.infer<typeof runPathSchema>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const states = (signal: AbortSignal): AsyncIterable<object> => this.runs.follow(id, signal);
    return this.streams.send((ending) => this.feeds.follow('status', id, states, ending), request, response);
  }
}
