// The machine and what else it is doing: wall times mean little without it.
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

const coresUsed = 2;

/** Keeps this process and all that it starts on two cores, where the machine has more and the system can. */
export function keepToTwoCores() {
  if (availableParallelism() <= coresUsed) return;
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `0-${coresUsed - 1}`, String(process.pid)]);
}

export function machine() {
  const { model = 'unknown' } = cpus()[0] ?? {};
  return { processor: model, cores: cpus().length, memoryBytes: totalmem(), node: process.version };
}

/** Mean number of processes that want a core, over the last minute. */
export const load = () => loadavg()[0];
