/** A job costs some milliseconds beside its tasks: one of so many seconds makes little of them. */
const aimedSeconds = 0.5;
const mostTasks = 64;
/** Fewer gain nothing. */
const leastTasks = 4;
/** Of the newest job, in what is known of all: tasks of a kind grow or shrink slowly from one to the next. */
const newestShare = 0.2;

/**
 * How many tasks should be one job, a power of two: batches of two sizes lie within each other.
 *
 * @param seconds of a task; null where none was done yet: then each is a job
 */
export function batchSize(seconds: number | null, most: number): number {
  if (seconds === null) return 1;
  const size = 2 ** Math.floor(Math.log2(Math.max(1, Math.min(aimedSeconds / seconds, most, mostTasks))));
  return size < leastTasks ? 1 : size;
}

/**
 * What share of the weight of a batch one task has by itself: as much as it takes, so that of long tasks as few are in
 * the queue as of batches, and who comes next waits for no more. One of which none was seen may be long.
 *
 * @param seconds of a task; null where none was done yet
 */
export function shareOfBatch(seconds: number | null): number {
  return seconds === null ? 1 : Math.min(1, seconds / aimedSeconds);
}

/** How long tasks of a kind take, as far as was seen. */
export class Pace {
  seconds: number | null = null;

  /** @param tasks done in so many seconds, one after another or several at once */
  tell(seconds: number, tasks: number): void {
    if (tasks === 0) return;
    const own = seconds / tasks;
    this.seconds = this.seconds === null ? own : this.seconds + newestShare * (own - this.seconds);
  }
}
