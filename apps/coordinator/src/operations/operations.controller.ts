import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Reconciler } from '@orchard/runs';
import type { Response } from 'express';
import { Describe } from '../openapi/describe.js';
import { Port, type Ports } from '../ports.js';
import { healthSchema, Readiness, type Health, type ReadinessCheck } from './health.js';
import { clusterLoadSchema, loadOf, type ClusterLoad } from './load.js';
import { CoordinatorError } from '../errors.js';
import type { Metrics } from './metrics.js';

const STALE_MILLISECONDS = 60_000;

/** What those ask who run the cluster. */
@Controller()
export class OperationsController {
  readonly #readiness: Readiness;

  constructor(
    @Inject(Port.checks) checks: readonly ReadinessCheck[],
    @Inject(Port.metrics) private readonly metrics: Metrics,
    @Inject(Port.reconciler) private readonly reconciler: Pick<Reconciler, 'counts' | 'lastPassAt'>,
    @Inject(Port.readings) private readonly readings: Ports['readings'],
  ) {
    this.#readiness = new Readiness(checks);
  }

  @Get('health/live')
  @Describe({ summary: 'Whether the process answers', tag: 'operations', open: true, answers: { 200: healthSchema } })
  live(): Health {
    return { status: 'live', checks: {} };
  }

  @Get('health/ready')
  @Describe({
    summary: 'Whether Redis and the object store answer too',
    tag: 'operations',
    open: true,
    answers: { 200: healthSchema, 503: healthSchema },
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<Health> {
    const health = await this.#readiness.health();
    response.status(health.status === 'ready' ? 200 : 503);
    return health;
  }

  @Get('v1/load')
  @Describe({
    summary: 'Work for workers: what to scale them by',
    tag: 'operations',
    answers: { 200: clusterLoadSchema },
  })
  async load(): Promise<ClusterLoad> {
    const { lastPassAt } = this.reconciler;
    // no figure is better than an old one: an autoscaler then leaves the workers alone
    if (lastPassAt === null || Date.now() - lastPassAt > STALE_MILLISECONDS) throw notKnown();
    const readings = await this.readings.load().catch(() => null);
    if (readings === null) throw notKnown();
    return loadOf(this.reconciler.counts(), readings);
  }

  @Get('metrics')
  @Describe({ summary: "Figures in Prometheus' text format", tag: 'operations', answers: { 200: 'text/plain' } })
  async scrape(@Res() response: Response): Promise<void> {
    const text = await this.metrics.registry.metrics();
    response.type(this.metrics.registry.contentType).send(text);
  }
}

function notKnown(): CoordinatorError {
  const input = {
    got: 'no pass over the runs within the last minute, or no answer of Redis',
    expected: 'figures that are true now',
    remedy: 'Try again in a few seconds.',
  };
  return new CoordinatorError('unavailable', input, { headers: { 'Retry-After': '5' } });
}
