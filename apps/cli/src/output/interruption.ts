import { callers } from './caller.js';
import { ExitCode } from './errors.js';

/**
 * One Ctrl-C comes twice behind npm: from the terminal, and passed on. A user does not press it again within so many
 * milliseconds.
 */
const SAME_REQUEST = 500;

/**
 * The signal of a command that Ctrl-C, SIGTERM or its {@link Caller} has asked to stop; a second signal ends the
 * process at once.
 */
export interface Interruption {
  readonly signal: AbortSignal;
  dispose(): void;
}

/** Listens until disposed of. */
export function listenForInterruption(onFirst: () => void): Interruption {
  const controller = new AbortController();
  let firstAt = 0;
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      if (performance.now() - firstAt > SAME_REQUEST) process.exit(ExitCode.interrupted);
      return;
    }
    firstAt = performance.now();
    onFirst();
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const caller = callers.getStore()?.signal;
  const onCaller = (): void => {
    if (!controller.signal.aborted) onSignal();
  };
  if (caller?.aborted === true) onCaller();
  caller?.addEventListener('abort', onCaller);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      caller?.removeEventListener('abort', onCaller);
    },
  };
}

/**
 * Has Ctrl-C and SIGTERM end the process with a last word, where there is nothing to keep; not where the command has a
 * {@link Caller}, whose process goes on. For what hears of signals soon: during a long computation the system has to
 * end the process.
 *
 * @returns what ends that
 */
export function sayAtInterruption(say: () => void): () => void {
  if (callers.getStore() !== undefined) return () => undefined;
  const onSignal = (): void => {
    say();
    process.exit(ExitCode.interrupted);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
}
