import { programCalled, type Pool } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { artefactNames, ResidentData, ThreadPool } from '@orchard/pipeline';
import { openStore, s3ConfigurationOf } from '../open-store.js';
import { startReadings } from '../readings/start-readings.js';
import { runUntilSignal } from '../run-until-signal.js';
import { serveOperations } from '../operations-server.js';
import { JobWorker, RepeatedErrors } from '@orchard/queue';
import { clusterOf, parseSources, requireAllowed, TaskLedger } from '@orchard/runs';
import { openTelemetry } from '@orchard/telemetry';
import type { Logger } from 'pino';
import { createLog } from '../create-log.js';
import { ownScratch } from '../scratch.js';
import { readConfig, type TaskProgramConfig } from './config.js';
import { DatasetCache } from './dataset-cache.js';
import { taskProgramMetrics } from './metrics.js';
import { shortPlacesOf, ShortPlaces } from './short-places.js';
import { ReportingStore, Standing } from './standing.js';
import { TaskProcessor } from './task-processor.js';

/**
 * A whole process that does the tasks of a pool, until a signal ends it. Exits with 2 where its environment is wrong.
 */
export async function runTaskProgram(pool: Pool): Promise<void> {
  let config: TaskProgramConfig;
  try {
    config = readConfig(pool);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
  const log = createLog(pool, config.ORCHARD_LOG_LEVEL);
  await runUntilSignal(log, config.ORCHARD_GRACE_SECONDS, () => startTaskProgram(pool, config, log));
}

/** Puts such a program together of its parts: store, cache, threads, queue, and a port for those who watch it. */
async function startTaskProgram(
  pool: Pool,
  config: TaskProgramConfig,
  log: Logger,
): Promise<{ stop: () => Promise<void> }> {
  ownScratch('worker');
  const metrics = taskProgramMetrics({
    residentBytes: () => (started === null ? 0 : resident.bytes + short.bytes),
    active: () => started?.active ?? 0,
  });
  const { ORCHARD_WORKER_NAME: name } = config;
  const who = programCalled(pool, name);
  let started: JobWorker | null = null;
  // first of all: a program whose port is taken ends before it has a task, which would be lost with it
  const operations = await serveOperations({
    host: config.ORCHARD_HEALTH_HOST,
    port: config.ORCHARD_HEALTH_PORT,
    registry: metrics.registry,
    isReady: () => started?.checkReady() ?? Promise.reject(new Error('It is starting.')),
    metricsToken: config.ORCHARD_METRICS_TOKEN,
  });
  const telemetry = await openTelemetry(config, { name: `orchard-${pool}`, instance: name }, log);
  const opened = telemetry.watch(await openStore(config, metrics.observeStore));
  const standing = new Standing({ who, log, onChange: () => started?.keepPace() });
  const reporting = new ReportingStore(opened, artefactNames.cluster, (error, again) => standing.refused(error, again));
  const store = new DatasetCache(reporting, {
    directory: config.ORCHARD_CACHE_DIR,
    bytes: config.ORCHARD_CACHE_BYTES,
    onRead: metrics.observeCache,
    onFailure: (error) => {
      log.warn({ err: error }, 'the cache on disk is of no use; data sets come from the store');
    },
  });
  await store.look();
  const onThreadLost = (error: unknown): void =>
    log.error({ err: error }, 'a thread died and could not be started again; it is tried again');
  const threads = await ThreadPool.start({ store, threads: config.ORCHARD_THREADS, onThreadLost });
  const resident = new ResidentData(threads, config.ORCHARD_MEMORY_BYTES);
  const shortPlaces = pool === 'worker' ? shortPlacesOf(config.ORCHARD_THREADS) : 0;
  const short = new ShortPlaces(
    { store, threads: Math.max(1, shortPlaces), onThreadLost },
    resident,
    config.ORCHARD_MEMORY_BYTES,
  );
  // the bucket is each source's own
  const s3 = s3ConfigurationOf({ ...config, ORCHARD_STORE: 's3://any' })!;
  const allowed = parseSources(config.ORCHARD_SOURCES);
  const processor = new TaskProcessor({
    store,
    families,
    resident,
    short,
    name,
    standing,
    others: () => started?.others() ?? Promise.resolve([]),
    isCached: (dataset) => store.has(dataset),
    log,
    ledger: new TaskLedger(store),
    checkpointSeconds: config.ORCHARD_CHECKPOINT_SECONDS,
    sources: (source) => {
      requireAllowed(allowed, source, null);
      return s3;
    },
    observe: metrics.observeJob,
  });
  const repeated = new RepeatedErrors(log);
  const onError = (error: Error): void => repeated.warn(error, 'the queue');
  const worker = await JobWorker.start({
    connection: { url: config.ORCHARD_REDIS_URL, prefix: config.ORCHARD_REDIS_PREFIX, onError },
    pool,
    name,
    // one more than threads: its data is read while they compute, so that none waits for store or queue
    concurrency: config.ORCHARD_THREADS + 1,
    shortPlaces,
    lockMilliseconds: config.ORCHARD_LOCK_SECONDS * 1_000,
    process: (held) =>
      telemetry.attempt(
        {
          task: held.job.task,
          family: held.job.family,
          pool,
          worker: name,
          addedAt: held.addedAt,
          lostBy: held.loss === null ? null : held.lostBy,
        },
        () => processor.process(held),
        ({ outcome }) => outcome,
      ),
    presence: () => ({
      threads: threads.alive,
      memoryBytes: config.ORCHARD_MEMORY_BYTES,
      refused: Object.fromEntries(processor.refused),
      cached: store.cached.slice(0, mostCached),
      notice: standing.notice ?? noticeOf(who, config, threads.alive, processor.strange),
    }),
    isAside: () => standing.isAside,
    // read past the standing: what is not there yet was not refused
    cluster: () => clusterOf(opened).catch(() => null),
    onSlowed: (notice) => {
      if (notice === null) log.info('it has recovered from its deaths and takes as many tasks as before');
      else log.warn(notice);
    },
    onError,
  });
  started = worker;
  const readings =
    pool === 'selector'
      ? null
      : startReadings({
          connection: { url: config.ORCHARD_REDIS_URL, prefix: config.ORCHARD_REDIS_PREFIX, onError },
          store: opened,
          allowed,
          s3,
          lockMilliseconds: config.ORCHARD_LOCK_SECONDS * 1_000,
          name,
          resident,
          log,
        });
  log.info({ [pool]: worker.id, threads: threads.threads, health: operations.port }, 'takes jobs');
  return {
    stop: async () => {
      standing.close();
      await Promise.all([worker.close(), readings?.close()]);
      resident.close();
      await Promise.all([threads.close(), short.close(), operations.close(), telemetry.close()]);
    },
  };
}

/** Data sets that a worker reports: more than a cache usually has. */
const mostCached = 64;

/** What people should know of this process. */
function noticeOf(
  who: string,
  { ORCHARD_THREADS: wanted }: TaskProgramConfig,
  alive: number,
  strange: string | null,
): string | null {
  if (strange !== null) return `${who} gives jobs back that belong to another release: ${strange}.`;
  if (alive >= wanted) return null;
  return `${who} computes with ${alive} of its ${wanted} threads: the others died and could not be started again.`;
}
