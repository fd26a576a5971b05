import type { PageFile } from '@orchard/page';
import type { Datasets, Readings, Reconciler, RunLife, Runs } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import type { Telemetry } from '@orchard/telemetry';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { ReadinessCheck } from './operations/health.js';
import type { Housekeeping } from './operations/housekeeping.js';
import type { Webhooks } from './webhooks/webhooks.js';
import type { Metrics } from './operations/metrics.js';

/** All that the application stands on; `main.ts` makes it of Redis and S3, tests of what they like. */
export interface Ports {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly telemetry: Telemetry;
  readonly store: ObjectStore;
  readonly life: RunLife;
  readonly datasets: Datasets;
  readonly readings: Pick<Readings, 'begin' | 'status' | 'load'>;
  readonly tasks: Runs['tasks'];
  readonly glance: Runs['glance'];
  readonly openRunsOf: Runs['openRunsOf'];
  readonly pins: Runs['pins'];
  readonly costOf: Runs['costOf'];
  readonly housekeeping: Housekeeping;
  readonly webhooks: Webhooks;
  readonly use: Runs['use'];
  readonly busyPeople: Runs['busyPeople'];
  /** The files of the page by path; none where it was not built. */
  readonly page: ReadonlyMap<string, PageFile>;
  readonly reconciler: Pick<Reconciler, 'counts' | 'lastPassAt'>;
  readonly checks: readonly ReadinessCheck[];
  /** A URL that anybody may read one object with for some seconds; null where the store has no such thing. */
  readonly presign: ((name: string, seconds: number) => Promise<string>) | null;
  /** Aborts when the process is to end: streams without an end of their own end then. */
  readonly stopping: AbortSignal;
  /** The pages of bull-board; null where there is no queue to look at. */
  readonly board: RequestHandler | null;
}

/** The names that providers are asked for by. */
export const Port = {
  config: Symbol('config'),
  metrics: Symbol('metrics'),
  store: Symbol('store'),
  life: Symbol('life'),
  datasets: Symbol('datasets'),
  readings: Symbol('readings'),
  tasks: Symbol('tasks'),
  glance: Symbol('glance'),
  openRunsOf: Symbol('openRunsOf'),
  use: Symbol('use'),
  costOf: Symbol('costOf'),
  busyPeople: Symbol('busyPeople'),
  reconciler: Symbol('reconciler'),
  checks: Symbol('checks'),
  presign: Symbol('presign'),
  stopping: Symbol('stopping'),
} as const;
