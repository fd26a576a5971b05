// Loaded into each program of a cluster (NODE_OPTIONS=--import=…): at SIGUSR2 it writes for how long the event loop of its main thread was held
// since the last time, in milliseconds, to a file of its process's number.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Between two looks at the clock, in milliseconds; the histogram has it in every value. */
const RESOLUTION = 5;

const folder = process.env.ORCHARD_LOOP_DELAYS;
if (isMainThread && folder !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  const beyond = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
  process.on('SIGUSR2', () => {
    const delays = { p99: beyond(histogram.percentile(99)), max: beyond(histogram.max) };
    histogram.reset();
    const path = join(folder, String(process.pid));
    writeFileSync(`${path}.new`, JSON.stringify(delays));
    renameSync(`${path}.new`, path);
  });
}
