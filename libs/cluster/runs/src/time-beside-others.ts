import type { TimeLeft } from '@orchard/contracts';

/**
 * Seconds that the waiting tasks of a run take beside those of others. Runs take turns: until they are done, each other
 * run has had as much, or is done too.
 *
 * @param own seconds that they take one thread
 * @param all the same of all open runs, this one among them; Infinity where it is not known
 * @param threads jobs that are done at once
 */
export function secondsBesideOthers(own: number, all: Iterable<number>, threads: number): number {
  let sum = 0;
  for (const seconds of all) sum += Math.min(own, seconds);
  return sum / Math.max(1, threads);
}

/**
 * What is left of a stage, by its own pace, is too little where other runs were submitted since, or where its tasks are
 * done together and then wait for the next turn.
 *
 * @param seconds at least; null where that is not known
 */
export function notBefore(left: TimeLeft, seconds: number | null): TimeLeft {
  const { secondsLeft, secondsLeftRange: range } = left;
  if (!secondsLeft || range === null || seconds === null || seconds <= secondsLeft) return left;
  const factor = seconds / secondsLeft;
  return { secondsLeft: seconds, secondsLeftRange: { least: range.least * factor, most: range.most * factor } };
}
