import type { RunStart } from '@orchard/contracts';
import type { TrackedRun } from './tracked-run.js';

/** What takes the tasks of a run that is submitted now. */
export interface Takers {
  readonly threads: number;
  /** Whether it is one that is soon done, and goes to threads for such tasks alone. */
  readonly areForShort: boolean;
}

/**
 * When a run that is submitted now starts. Its first job goes to the end of the queue, which is first in, first out and
 * holds no more than a window of the jobs of others: all of these come before it.
 *
 * @param others the open runs beside it
 */
export function startOf(
  others: Iterable<Pick<TrackedRun, 'threadsFor' | 'waitingFor'>>,
  { threads, areForShort }: Takers,
): RunStart {
  let [busy, jobsBefore, runsBefore, seconds] = [0, 0, 0, 0 as number | null];
  for (const run of others) {
    busy += run.threadsFor(areForShort);
    const waiting = run.waitingFor(areForShort);
    if (waiting.jobs === 0) continue;
    jobsBefore += waiting.jobs;
    runsBefore += 1;
    seconds = seconds === null || waiting.seconds === null ? null : seconds + waiting.seconds;
  }
  const freeThreads = Math.max(0, threads - busy);
  const isFree = freeThreads > 0 && jobsBefore === 0;
  // with all threads busy and nothing before it, it waits for the first of them, of which it is not known how far it is
  const isKnown = threads > 0 && seconds !== null && (isFree || jobsBefore > 0);
  return { threads, freeThreads, jobsBefore, runsBefore, secondsUntil: isKnown ? seconds! / threads : null };
}
