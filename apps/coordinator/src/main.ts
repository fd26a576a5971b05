import { createLog, ownScratch, runUntilSignal } from '@orchard/program';
import { readConfig, type Config } from './config.js';
import { createServer } from './server.js';

let config: Config;
try {
  config = readConfig(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
// bodies of uploads lie there while they are read
ownScratch('coordinator');
const log = createLog('coordinator', config.cluster.ORCHARD_LOG_LEVEL);
await runUntilSignal(log, config.graceSeconds, () => createServer(config, log));
