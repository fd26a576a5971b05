import type { Request } from 'express';
import { CoordinatorError } from '../errors.js';

/** How slow a client may send. */
export interface BodyPace {
  /** Seconds without a byte. */
  readonly silenceSeconds: number;
  /** On average, once {@link GRACE_SECONDS} are over. */
  readonly bytesPerSecond: number;
}

const GRACE_SECONDS = 30;

/**
 * Watches a body come. Only seconds that this process was awake for and waited in count: what a client has sent and was
 * not read yet is not its fault.
 *
 * @param waiting bytes that came and were not read yet
 * @param onSlow called once, with the answer
 * @returns ends the watch
 */
export function watchPace(
  request: Request,
  { silenceSeconds, bytesPerSecond }: BodyPace,
  waiting: () => number,
  onSlow: (refusal: CoordinatorError) => void,
): () => void {
  const { socket } = request;
  const begun = socket.bytesRead;
  let seen = begun;
  let silent = 0;
  let waited = 0;
  const timer = setInterval(() => {
    if (request.complete || waiting() > 0) return;
    silent = socket.bytesRead === seen ? silent + 1 : 0;
    seen = socket.bytesRead;
    waited += 1;
    const isSlow = waited > GRACE_SECONDS && seen - begun < (waited - GRACE_SECONDS) * bytesPerSecond;
    if (silent < silenceSeconds && !isSlow) return;
    stop();
    onSlow(tooSlow(silent < silenceSeconds ? `${seen - begun} bytes in ${waited} s` : `no byte for ${silent} s`));
  }, 1000);
  timer.unref();
  const stop = (): void => {
    clearInterval(timer);
    request.off('close', stop);
  };
  request.once('close', stop);
  return stop;

  function tooSlow(got: string): CoordinatorError {
    const input = {
      got,
      expected: `some every ${silenceSeconds} s, and ${bytesPerSecond} bytes a second on average`,
      where: 'body',
      remedy: 'Send the body again, over a connection that bears it; compressed with gzip it is shorter.',
    };
    return new CoordinatorError('too-slow', input, { headers: { Connection: 'close' } });
  }
}
