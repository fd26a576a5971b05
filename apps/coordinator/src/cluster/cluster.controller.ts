import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { clusterGlanceSchema, presetNames, type ClusterGlance } from '@orchard/contracts';
import type { Request, Response } from 'express';
import { PersonLimits } from '../access/person-limits.js';
import { submitterOf } from '../access/submitter.js';
import { suffices } from '../access/roles.js';
import { EventFeeds } from '../http/event-feeds.js';
import { EventStreams } from '../http/event-stream.js';
import { contextOf } from '../http/request-context.js';
import { Describe } from '../openapi/describe.js';
import { Port, type Ports } from '../ports.js';
import { callerSchema, type CallerDocument } from './caller.js';
import { clusterStates } from './cluster-states.js';

/** What the cluster does as a whole: its open runs and its workers. */
@Controller('v1')
export class ClusterController {
  constructor(
    @Inject(Port.glance) private readonly glance: Ports['glance'],
    @Inject(Port.config) private readonly config: { readonly limits: { readonly uploadBytes: number } },
    @Inject(PersonLimits) private readonly limits: PersonLimits,
    @Inject(EventFeeds) private readonly feeds: EventFeeds,
    @Inject(EventStreams) private readonly streams: EventStreams,
  ) {}

  @Get('cluster')
  @Describe({
    summary: 'The open runs, and the workers with what they hold and what they refused',
    tag: 'operations',
    answers: { 200: clusterGlanceSchema },
  })
  now(): Promise<ClusterGlance> {
    return this.glance();
  }

  @Get('events')
  @Describe({
    summary: 'Follow the cluster: `cluster` events, each what GET /v1/cluster answers, whenever it has changed',
    tag: 'operations',
    answers: { 200: 'text/event-stream' },
  })
  follow(@Req() request: Request, @Res() response: Response): Promise<void> {
    const states = (signal: AbortSignal): AsyncIterable<object> => clusterStates(this.glance, signal);
    return this.streams.send((ending) => this.feeds.follow('cluster', '', states, ending), request, response);
  }

  @Get('caller')
  @Describe({
    summary: 'Who asks: by what name and with which role, what they use and may use, and what can be submitted',
    tag: 'operations',
    answers: { 200: callerSchema },
  })
  async caller(@Req() request: Request): Promise<CallerDocument> {
    const { caller } = contextOf(request);
    const { name, role, way, until } = caller;
    if (role === null) throw new Error('a request without a role came as far as this');
    return {
      name,
      role,
      way,
      access: suffices(role, 'submitter') ? 'full' : 'read',
      until: until === undefined ? null : new Date(until).toISOString(),
      presets: [...presetNames],
      uses: await this.limits.usesOf(submitterOf(caller)),
      limits: this.limits.limits,
      mostUploadBytes: this.config.limits.uploadBytes,
    };
  }
}
