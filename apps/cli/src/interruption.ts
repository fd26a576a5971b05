import { ExitCode } from './errors.js';

/** The signal of a command that Ctrl-C or SIGTERM has asked to stop; a second request ends the process at once. */
export interface Interruption {
  readonly signal: AbortSignal;
  dispose(): void;
}

/** Listens until disposed of. */
export function listenForInterruption(onFirst: () => void): Interruption {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(ExitCode.interrupted);
    onFirst();
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
