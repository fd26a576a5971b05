import { runUntilSignal } from '@orchard/process';
import { pino } from 'pino';
import { readConfig, type WorkerConfig } from './config.js';
import { startWorker } from './worker.js';

let config: WorkerConfig;
try {
  config = readConfig();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
const log = pino({ name: 'worker', level: config.ORCHARD_LOG_LEVEL }, pino.destination(2));
await runUntilSignal(log, config.ORCHARD_GRACE_SECONDS, () => startWorker(config, log));
