import { endStates, type RunStatus } from '@orchard/contracts';
import { isRefusal } from '@orchard/refusal';
import type { StoreReconciler } from './reconciler.js';
import type { RunStatuses } from './run-statuses.js';

const eventMilliseconds = 1_000;
/**
 * What is decided elsewhere is found by looking at the store; between two looks this process's reconciler is believed.
 */
const lookMilliseconds = 3_000;

/** The statuses of a run as they change: what `RunLife.events` says. */
export async function* followRun(
  statuses: Pick<RunStatuses, 'status' | 'lastKnown'>,
  reconciler: Pick<StoreReconciler, 'onChange'>,
  id: string,
  signal?: AbortSignal,
): AsyncGenerator<RunStatus, void, undefined> {
  let told = '';
  let lookedAt = -Infinity;
  for (;;) {
    const begun = performance.now();
    const changed = until(lookMilliseconds, signal, (done) =>
      reconciler.onChange((run) => {
        if (run === id) done();
      }),
    );
    let status: RunStatus | null;
    try {
      status = begun - lookedAt < lookMilliseconds ? await statuses.lastKnown(id) : null;
      if (status === null) lookedAt = begun;
      status ??= await statuses.status(id);
    } catch (error) {
      if (told !== '' && isRefusal(error, 'unknown-run')) return;
      throw error;
    }
    const text = JSON.stringify(status);
    if (text !== told) yield status;
    told = text;
    if ((endStates as readonly string[]).includes(status.state)) return;
    await changed;
    await until(eventMilliseconds - (performance.now() - begun), signal);
    if (signal?.aborted === true) return;
  }
}

/**
 * Ends early when the signal aborts or `listen` says so, and leaves no listener behind: a stream waits each second on
 * one signal.
 */
function until(
  milliseconds: number,
  signal: AbortSignal | undefined,
  listen: (done: () => void) => () => void = () => () => undefined,
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stopListening();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const stopListening = listen(done);
    const timer = setTimeout(done, Math.max(0, milliseconds));
    signal?.addEventListener('abort', done);
  });
}
