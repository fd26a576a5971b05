import { ThreadPool } from '@orchard/pipeline';
import { openStore, serveOperations } from '@orchard/process';
import { JobWorker } from '@orchard/queue';
import { WorkLedger } from '@orchard/runs';
import type { Logger } from 'pino';
import { ConditionalProcessor } from './conditional-processor.js';
import type { WorkerConfig } from './config.js';
import { DatasetCache } from './dataset-cache.js';
import { workerMetrics } from './metrics.js';
import { ResidentData } from './resident-data.js';

/** Puts a worker together of its parts: store, cache, threads, queue, and a port for those who watch it. */
export async function startWorker(config: WorkerConfig, log: Logger): Promise<{ stop: () => Promise<void> }> {
  const metrics = workerMetrics({ residentBytes: () => resident.bytes, active: () => worker.active });
  const store = new DatasetCache(await openStore(config, metrics.observeStore), {
    directory: config.ORCHARD_CACHE_DIR,
    bytes: config.ORCHARD_CACHE_BYTES,
    onRead: metrics.observeCache,
    onFailure: (error) => {
      log.warn({ err: error }, 'the cache on disk is of no use; data sets come from the store');
    },
  });
  const pool = await ThreadPool.start({ threads: config.ORCHARD_THREADS });
  const resident = new ResidentData(store, pool, config.ORCHARD_MEMORY_BYTES);
  const processor = new ConditionalProcessor({
    store,
    resident,
    log,
    ledger: new WorkLedger(store),
    checkpointSeconds: config.ORCHARD_CHECKPOINT_SECONDS,
    observe: metrics.observeJob,
  });
  const onError = (error: Error): void => {
    log.warn({ err: error }, 'the queue');
  };
  const worker = await JobWorker.start({
    connection: { url: config.ORCHARD_REDIS_URL, prefix: config.ORCHARD_REDIS_PREFIX, onError },
    queue: 'conditionals',
    // one more than threads: its data is read while they compute, so that none waits for store or queue
    concurrency: config.ORCHARD_THREADS + 1,
    lockMilliseconds: config.ORCHARD_LOCK_SECONDS * 1_000,
    process: processor.process,
    presence: () => ({
      threads: config.ORCHARD_THREADS,
      memoryBytes: config.ORCHARD_MEMORY_BYTES,
      refused: Object.fromEntries(processor.refused),
    }),
    onError,
  });
  const operations = await serveOperations({
    host: config.ORCHARD_HEALTH_HOST,
    port: config.ORCHARD_HEALTH_PORT,
    registry: metrics.registry,
    isReady: () => worker.checkReady(),
    metricsToken: config.ORCHARD_METRICS_TOKEN,
  });
  log.info({ worker: worker.id, threads: pool.threads, health: operations.port }, 'takes jobs');
  return {
    stop: async () => {
      await worker.close();
      resident.close();
      await Promise.all([pool.close(), operations.close()]);
    },
  };
}
