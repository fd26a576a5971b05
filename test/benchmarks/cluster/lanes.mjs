import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { processorSeconds } from './processes.mjs';

const program = fileURLToPath(new URL('lane.mjs', import.meta.url));

/**
 * Processes that are ready and wait for `go`.
 *
 * @param {object[]} tasks one for each process: `lane.mjs` says what it knows
 */
export async function startLanes(tasks) {
  const lanes = tasks.map(() => fork(program));
  // heard from the start: a process with nothing left to do ends by itself
  const ended = Promise.all(lanes.map((lane) => once(lane, 'exit')));
  await Promise.all(
    lanes.map((lane, index) => {
      lane.send(tasks[index]);
      return once(lane, 'message');
    }),
  );
  return {
    /** Of all of them together so far. */
    processorSeconds: () => lanes.reduce((sum, { pid }) => sum + (processorSeconds(pid) ?? NaN), 0),
    go: () => lanes.forEach((lane) => lane.send('go')),
    /** Resolves when each has reported that it is done. */
    done: () => Promise.all(lanes.map((lane) => once(lane, 'message'))),
    stop: () => {
      for (const lane of lanes) lane.kill('SIGKILL');
      return ended;
    },
  };
}
