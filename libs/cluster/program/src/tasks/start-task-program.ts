import type { Pool } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { ResidentData, ThreadPool } from '@orchard/pipeline';
import { openStore } from '../open-store.js';
import { runUntilSignal } from '../run-until-signal.js';
import { serveOperations } from '../operations-server.js';
import { JobWorker } from '@orchard/queue';
import { TaskLedger } from '@orchard/runs';
import { openTelemetry } from '@orchard/telemetry';
import { pino, type Logger } from 'pino';
import { readConfig, type TaskProgramConfig } from './config.js';
import { DatasetCache } from './dataset-cache.js';
import { taskProgramMetrics } from './metrics.js';
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
  const log = pino({ name: pool, level: config.ORCHARD_LOG_LEVEL }, pino.destination(2));
  await runUntilSignal(log, config.ORCHARD_GRACE_SECONDS, () => startTaskProgram(pool, config, log));
}

/** Puts such a program together of its parts: store, cache, threads, queue, and a port for those who watch it. */
async function startTaskProgram(
  pool: Pool,
  config: TaskProgramConfig,
  log: Logger,
): Promise<{ stop: () => Promise<void> }> {
  const metrics = taskProgramMetrics({ residentBytes: () => resident.bytes, active: () => worker.active });
  const { ORCHARD_WORKER_NAME: name } = config;
  const telemetry = await openTelemetry(config, { name: `orchard-${pool}`, instance: name }, log);
  const store = new DatasetCache(telemetry.watch(await openStore(config, metrics.observeStore)), {
    directory: config.ORCHARD_CACHE_DIR,
    bytes: config.ORCHARD_CACHE_BYTES,
    onRead: metrics.observeCache,
    onFailure: (error) => {
      log.warn({ err: error }, 'the cache on disk is of no use; data sets come from the store');
    },
  });
  const threads = await ThreadPool.start({
    store,
    threads: config.ORCHARD_THREADS,
    onThreadLost: (error) => {
      log.error({ err: error }, 'a thread died and could not be started again; it is tried again');
    },
  });
  const resident = new ResidentData(threads, config.ORCHARD_MEMORY_BYTES);
  const processor = new TaskProcessor({
    store,
    families,
    resident,
    log,
    ledger: new TaskLedger(store),
    checkpointSeconds: config.ORCHARD_CHECKPOINT_SECONDS,
    observe: metrics.observeJob,
  });
  const onError = (error: Error): void => log.warn({ err: error }, 'the queue');
  const worker = await JobWorker.start({
    connection: { url: config.ORCHARD_REDIS_URL, prefix: config.ORCHARD_REDIS_PREFIX, onError },
    pool,
    name,
    // one more than threads: its data is read while they compute, so that none waits for store or queue
    concurrency: config.ORCHARD_THREADS + 1,
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
      notice: noticeOf(config, threads.alive, processor.strange),
    }),
    onSlowed: (notice) => {
      if (notice === null) log.info('it has recovered from its deaths and takes as many tasks as before');
      else log.warn(notice);
    },
    onError,
  });
  const operations = await serveOperations({
    host: config.ORCHARD_HEALTH_HOST,
    port: config.ORCHARD_HEALTH_PORT,
    registry: metrics.registry,
    isReady: () => worker.checkReady(),
    metricsToken: config.ORCHARD_METRICS_TOKEN,
  });
  log.info({ [pool]: worker.id, threads: threads.threads, health: operations.port }, 'takes jobs');
  return {
    stop: async () => {
      await worker.close();
      resident.close();
      await Promise.all([threads.close(), operations.close(), telemetry.close()]);
    },
  };
}

/** What people should know of this process. */
function noticeOf(
  { ORCHARD_WORKER_NAME: name, ORCHARD_THREADS: wanted }: TaskProgramConfig,
  alive: number,
  strange: string | null,
): string | null {
  if (strange !== null) return `Worker ${name} gives jobs back that belong to another release: ${strange}.`;
  if (alive >= wanted) return null;
  return `Worker ${name} computes with ${alive} of its ${wanted} threads: the others died and could not be started again.`;
}
