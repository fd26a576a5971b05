import type { PoolThread } from './pool-thread.js';
import type { ThreadStart } from './thread-messages.js';

interface Spare {
  readonly thread: PoolThread;
  readonly end: NodeJS.Timeout;
}

let keptMilliseconds = 0;
const spares = new Map<string, Spare>();

/**
 * From now on idle threads of pools that close are left to the pools that this process starts next, for so long: of a
 * small table, a thread takes longer to start and to compile than to train. They hold no process that would end.
 *
 * @param milliseconds 0 keeps none, which is how a process begins, and ends those that are kept
 */
export function keepThreads(milliseconds: number): void {
  keptMilliseconds = milliseconds;
  if (milliseconds > 0) return;
  for (const { thread, end } of spares.values()) {
    clearTimeout(end);
    void thread.end();
  }
  spares.clear();
}

/** A thread of that start that another pool left, if there is one. */
export function takeSpare(start: ThreadStart): PoolThread | null {
  const spare = spares.get(keyOf(start));
  if (spare === undefined) return null;
  spares.delete(keyOf(start));
  clearTimeout(spare.end);
  return spare.thread;
}

/** Keeps a thread for the next pool, or ends it. */
export async function retire(thread: PoolThread): Promise<void> {
  const key = keyOf(thread.start);
  if (keptMilliseconds === 0 || thread.busy || spares.has(key)) return thread.end();
  thread.leave();
  const forget = (): void => {
    if (spares.get(key)?.thread === thread) spares.delete(key);
  };
  const end = setTimeout(() => {
    forget();
    void thread.end();
  }, keptMilliseconds).unref();
  spares.set(key, { thread, end });
  void thread.death.then(forget);
}

const keyOf = ({ thread, kernel }: ThreadStart): string => `${thread} ${kernel}`;
