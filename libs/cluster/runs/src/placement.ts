import type { WorkerPresence } from '@orchard/queue';
import type { TrackedRun } from './tracked-run.js';

/** Which runs have tasks that not every worker has the memory for. */
export interface Placement {
  /** From which memory on a worker takes large tasks; null where there are none. */
  readonly largeBytes: number | null;
  isLarge(run: Pick<TrackedRun, 'run' | 'needsBytes'>): boolean;
}

export const noPlacement: Placement = { largeBytes: null, isLarge: () => false };

/**
 * What some workers cannot hold goes to those alone that can hold the largest of it. What no worker can hold stays
 * where all are: each refuses it, and the run says so.
 */
export function placementOf(
  runs: Iterable<Pick<TrackedRun, 'run' | 'needsBytes'>>,
  workers: readonly WorkerPresence[],
): Placement {
  let [smallest, largest] = [Infinity, -Infinity];
  for (const { pool, isAside, takesLarge, memoryBytes } of workers) {
    if (pool !== 'worker' || isAside === true) continue;
    smallest = Math.min(smallest, memoryBytes);
    if (takesLarge === true) largest = Math.max(largest, memoryBytes);
  }
  const large = new Set<string>();
  let largeBytes = 0;
  for (const { run, needsBytes } of runs) {
    const needs = needsBytes ?? 0;
    if (needs <= smallest || needs > largest) continue;
    large.add(run.id);
    largeBytes = Math.max(largeBytes, needs);
  }
  return large.size === 0 ? noPlacement : { largeBytes, isLarge: ({ run }) => large.has(run.id) };
}
