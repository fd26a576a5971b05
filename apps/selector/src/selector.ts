import { openStore, serveOperations } from '@orchard/process';
import { JobWorker } from '@orchard/queue';
import { WorkLedger } from '@orchard/runs';
import type { Logger } from 'pino';
import type { SelectorConfig } from './config.js';
import { selectorMetrics } from './metrics.js';
import { SelectionProcessor } from './selection-processor.js';

/** Puts a selector together of its parts: store, queue, and a port for those who watch it. */
export async function startSelector(config: SelectorConfig, log: Logger): Promise<{ stop: () => Promise<void> }> {
  const metrics = selectorMetrics();
  const store = await openStore(config, metrics.observeStore);
  const processor = new SelectionProcessor({ store, log, ledger: new WorkLedger(store), observe: metrics.observeJob });
  const onError = (error: Error): void => {
    log.warn({ err: error }, 'the queue');
  };
  const worker = await JobWorker.start({
    connection: { url: config.ORCHARD_REDIS_URL, prefix: config.ORCHARD_REDIS_PREFIX, onError },
    queue: 'selections',
    // reading takes longer than choosing: while one job waits for the store another may compute
    concurrency: 2,
    lockMilliseconds: config.ORCHARD_LOCK_SECONDS * 1_000,
    process: processor.process,
    onError,
  });
  const operations = await serveOperations({
    host: config.ORCHARD_HEALTH_HOST,
    port: config.ORCHARD_HEALTH_PORT,
    registry: metrics.registry,
    isReady: () => worker.checkReady(),
    metricsToken: config.ORCHARD_METRICS_TOKEN,
  });
  log.info({ selector: worker.id, health: operations.port }, 'takes jobs');
  return {
    stop: async () => {
      await worker.close();
      await operations.close();
    },
  };
}
