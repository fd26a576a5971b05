import type { Logger } from 'pino';
import { optimizeLater } from './optimize-later.js';

/**
 * Starts a program and ends it on SIGTERM or SIGINT: `stop` has `graceSeconds`, then the process ends all the same. A
 * second signal ends it at once.
 */
export async function runUntilSignal(
  log: Logger,
  graceSeconds: number,
  start: () => Promise<{ stop: () => Promise<void> }>,
): Promise<void> {
  optimizeLater();
  let running: Promise<{ stop: () => Promise<void> }> | null = null;
  let ending = false;
  const end = (signal: NodeJS.Signals): void => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal, graceSeconds }, 'ending');
    setTimeout(() => {
      log.error('the grace time is over');
      process.exit(1);
    }, graceSeconds * 1000).unref();
    Promise.resolve(running)
      .then((program) => program?.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'ending failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  running = start();
  try {
    await running;
  } catch (error) {
    log.fatal({ err: error }, error instanceof Error ? error.message : 'could not start');
    process.exit(1);
  }
}
