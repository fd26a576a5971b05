import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { families } from '@orchard/registry';
import { JobQueues, ReadingQueue, RepeatedErrors } from '@orchard/queue';
import { openRuns, Readings, registerCluster, RunSheets } from '@orchard/runs';
import { listening, openStore } from '@orchard/program';
import { builtPage, readPage } from '@orchard/page';
import { GuardedStore, LatestFailure } from '@orchard/storage';
import { S3Store } from '@orchard/storage/s3';
import { openTelemetry } from '@orchard/telemetry';
import type { Logger } from 'pino';
import { AuditLog } from './audit/audit-log.js';
import type { Config } from './config.js';
import { createApp } from './create-app.js';
import { createBoard } from './operations/board.js';
import { Housekeeping } from './operations/housekeeping.js';
import { Metrics } from './operations/metrics.js';
import { watchPeople } from './operations/people-metrics.js';
import { Webhooks } from './webhooks/webhooks.js';
import { ExaminationOnThread } from './examination-on-thread.js';
import { TracedRunLife } from './operations/traced-run-life.js';

export interface Server {
  readonly url: string;
  /** Answers what is under way, takes no more, and lets go of everything. */
  stop(): Promise<void>;
}

/** The coordinator of one configuration: connected, listening, its reconciler at work. */
export async function createServer(config: Config, log: Logger): Promise<Server> {
  const metrics = new Metrics(families.kinds);
  const telemetry = await openTelemetry(config.telemetry, { name: 'orchard-coordinator', instance: hostname() }, log);
  const latest = new LatestFailure();
  const bare = await openStore(config.cluster, (attempt) => {
    latest.observe(attempt.outcome);
    metrics.observeStore(attempt);
  });
  const store = new GuardedStore(telemetry.watch(bare), () => latest.name);
  store.onChange((outage) => {
    if (outage === null) log.info('object storage answers again');
    else log.error({ reason: outage.reason }, 'object storage does not answer: requests are refused until it does');
  });
  if (bare instanceof S3Store && !bare.isCreateOnly) {
    log.warn('the object store does not refuse a second writer of a name: contents are compared instead');
  }
  const repeated = new RepeatedErrors(log);
  const connection = {
    url: config.cluster.ORCHARD_REDIS_URL,
    prefix: config.cluster.ORCHARD_REDIS_PREFIX,
    onError: (error: Error) => repeated.warn(error, 'the queue'),
  };
  const queues = await JobQueues.connect(connection);
  for (const warning of queues.warnings) log.warn(warning);
  try {
    await queues.claim(await registerCluster(store));
  } catch (error) {
    await queues.close();
    throw error;
  }
  const readingQueue = await ReadingQueue.connect(connection);
  const examination = new ExaminationOnThread(store);
  const { life, datasets, tasks, glance, openRunsOf, endOf, costOf, pins, retained, use, busyPeople, reconciler } =
    openRuns(
      { store, queues, families, log, observer: metrics.observer, examination },
      { servers: { store, redis: queues.server }, threadsOfPerson: config.limits.ofPerson.threads },
    );
  metrics.watch(() => reconciler.counts());
  metrics.watchQueues(queues);
  metrics.watchReadings(() => readingQueue.counts());
  watchPeople(metrics.registry, { use, busyPeople }, config.limits.ofPerson);
  const housekeeping = new Housekeeping({ store, retained, audit: new AuditLog(store, log), log }, config.housekeeping);
  const webhooks = new Webhooks({ store, sheets: new RunSheets(store), endOf, log }, config.webhooks);
  const page = builtPage(import.meta.url);
  if (page === null) log.warn('the page is not built (npm run build): / answers nothing, the API everything');
  const stopping = new AbortController();
  const app = await createApp(config, {
    log,
    metrics,
    telemetry,
    store,
    life: new TracedRunLife(life, telemetry),
    datasets,
    readings: new Readings(store, readingQueue),
    tasks,
    glance,
    openRunsOf,
    pins,
    costOf,
    housekeeping,
    webhooks,
    use,
    busyPeople,
    page: page === null ? new Map() : readPage(page),
    reconciler,
    checks: [
      { name: 'redis', check: () => queues.checkReady() },
      { name: 'store', check: () => store.list('', { limit: 1 }) },
    ],
    presign: bare instanceof S3Store ? (name, seconds) => bare.presign(name, seconds) : null,
    stopping: stopping.signal,
    board: createBoard(queues, '/queues'),
  });
  reconciler.start();
  housekeeping.start();
  webhooks.start();
  await listening(app.listen(config.port, config.host), 'ORCHARD_PORT', config.port);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  log.info({ url }, 'listening');

  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all([app.close(), reconciler.stop(), housekeeping.stop(), webhooks.stop()]);
    await Promise.all([queues.close(), readingQueue.close(), examination.close(), telemetry.close()]);
    log.info('stopped');
  };
  return { url, stop };
}
