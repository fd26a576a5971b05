import { runUntilSignal } from '@orchard/process';
import { pino } from 'pino';
import { readConfig, type SelectorConfig } from './config.js';
import { startSelector } from './selector.js';

let config: SelectorConfig;
try {
  config = readConfig();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
const log = pino({ name: 'selector', level: config.ORCHARD_LOG_LEVEL }, pino.destination(2));
await runUntilSignal(log, config.ORCHARD_GRACE_SECONDS, () => startSelector(config, log));
