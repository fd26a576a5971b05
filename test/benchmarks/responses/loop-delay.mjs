// Loaded into each program of a cluster (NODE_OPTIONS=--import=…): at SIGUSR2 it writes for how long the event loop of
// its main thread was held since the last time, in milliseconds, to a file of its process's number. `own` is the
// processor time that the main thread used meanwhile: on a busy machine the rest of a hold is waiting for a processor.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** Between two looks at the clock, in milliseconds. */
const RESOLUTION = 5;

const folder = process.env.ORCHARD_LOOP_DELAYS;
if (isMainThread && folder !== undefined) {
  let holds = [];
  let lastWall = performance.now();
  let lastOwn = ownMilliseconds();
  setInterval(() => {
    const wall = performance.now();
    const own = ownMilliseconds();
    holds.push({ held: Math.max(0, wall - lastWall - RESOLUTION), own: own - lastOwn });
    [lastWall, lastOwn] = [wall, own];
  }, RESOLUTION).unref();
  process.on('SIGUSR2', () => {
    const path = join(folder, String(process.pid));
    writeFileSync(`${path}.new`, JSON.stringify(summaryOf(holds)));
    renameSync(`${path}.new`, path);
    holds = [];
  });
}

/** Linux counts it for each thread; the first of a process is Node's main thread. */
function ownMilliseconds() {
  return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6;
}

/** Processor time in all, and of both durations the 99th percentile and the longest. */
function summaryOf(all) {
  const over = (name) => {
    const sorted = all.map((hold) => hold[name]).sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return { p99: at(0.99), max: at(1) };
  };
  return { processor: all.reduce((sum, { own }) => sum + own, 0), held: over('held'), own: over('own') };
}
