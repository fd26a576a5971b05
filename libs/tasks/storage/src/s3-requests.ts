import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Resolved, S3Attempt } from './s3-configuration.js';
import { Deadline } from './s3-deadline.js';
import { describeFailure, failure, isPassing } from './s3-errors.js';

/** The longest wait between two attempts, in milliseconds. */
const longestWait = 5000;

/**
 * Makes one request until it succeeds, fails for good, or has been tried often enough. Between attempts it waits a
 * random time of twice the mean at most ("full jitter"), so that workers that failed together do not return together.
 */
export class Requests {
  constructor(private readonly configuration: Resolved) {}

  /**
   * @param where - the object's name, for the error
   * @param bytes - how much is sent or received, for the time allowed
   * @param send - one attempt; to be ended by the signal, and called when more bytes come than were announced
   * @param isAnswer - failures that the caller understands: they are neither retried nor reported as one
   * @throws StorageError, or what `isAnswer` claimed, as it came
   */
  async send<T>(
    operation: S3Attempt['operation'],
    where: string,
    bytes: number,
    send: (signal: AbortSignal, allow: (bytes: number) => void) => Promise<T>,
    isAnswer: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    const { attempts, backoff, timeout, onAttempt } = this.configuration;
    for (let attempt = 1; ; attempt += 1) {
      const started = performance.now();
      const report = (outcome: string): void =>
        onAttempt({ operation, attempt, seconds: (performance.now() - started) / 1000, outcome });
      // sockets without any progress end sooner; this bounds what goes on too slowly
      const deadline = new Deadline(timeout, bytes);
      try {
        const result = await send(deadline.signal, (more) => deadline.allow(more));
        report('ok');
        return result;
      } catch (error) {
        report(describeFailure(error).name);
        if (isAnswer(error)) throw error;
        if (attempt === attempts || !isPassing(error)) throw failure(where, error, attempt);
        const mean = Math.min(longestWait, backoff * 2 ** (attempt - 1));
        await sleep(randomInt(Math.ceil(2 * mean) + 1));
      } finally {
        deadline.clear();
      }
    }
  }
}
