import { AsyncLocalStorage } from 'node:async_hooks';
import type { RunProgress } from '@orchard/contracts';

/** The program that has a command run within this process, instead of a shell. */
export interface CallingProgram {
  /** Aborted where the command is to stop, as by Ctrl-C. */
  readonly signal: AbortSignal;
  /** How far a run is. */
  onProgress(progress: RunProgress): void;
}

/** The caller of what runs now; none where a shell started it. */
export const callers = new AsyncLocalStorage<CallingProgram>();
