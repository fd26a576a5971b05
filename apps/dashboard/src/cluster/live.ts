import { eventLines } from './event-lines.js';
import { ask, refusalOf, Refused, withToken } from './questions.js';

/**
 * How what is shown is kept true: `live` by events, `polling` where events do not come through (a proxy that holds them
 * back), `waiting` where nothing comes at all, and what is shown is of before.
 */
export type Way = 'live' | 'polling' | 'waiting';

export interface Freshness {
  readonly way: Way;
  /** When the coordinator last said anything, in milliseconds since 1970; null before it has. */
  readonly heardAt: number | null;
  /** Why nothing comes. */
  readonly reason: string | null;
}

/** Twice what lies between two signs of life, and a bit: then the stream is dead, whatever the connection says. */
const SILENCE_MILLISECONDS = 35_000;
/** An event comes at once where events come at all. */
const FIRST_MILLISECONDS = 8_000;
const POLL_MILLISECONDS = 4_000;
const RETRY_MILLISECONDS = [500, 1_000, 2_000, 4_000];

/**
 * Follows one of the coordinator's streams for as long as it is wanted. Whenever it begins anew the first event is a
 * snapshot of all there is, so that nothing which was missed is missing.
 *
 * @param document the path of what a `polling` page asks for instead
 * @returns ends it
 */
export function follow<T>(
  stream: string,
  document: string,
  onNews: (news: T) => void,
  onFreshness: (freshness: Freshness) => void,
): () => void {
  const ending = new AbortController();
  let heardAt: number | null = null;
  let failures = 0;
  let isHeldBack = false;
  const say = (way: Way, reason: string | null = null): void => {
    if (!ending.signal.aborted) onFreshness({ way, heardAt, reason });
  };
  const hear = (): void => {
    heardAt = Date.now();
  };
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      // a user who comes back to a page after a night wants to see what is, not what was
      const wake = (): void => {
        if (globalThis.document.visibilityState === 'visible') resolve();
      };
      globalThis.document.addEventListener('visibilitychange', wake, { once: true });
      ending.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });

  /** @returns whether the stream has come to its own end: there is no more to come */
  async function listen(): Promise<boolean> {
    const silence = new AbortController();
    let timer = setTimeout(() => {
      silence.abort();
    }, FIRST_MILLISECONDS);
    const stop = AbortSignal.any([ending.signal, silence.signal]);
    let told = 0;
    try {
      const headers = withToken({ Accept: 'text/event-stream' });
      const response = await fetch(stream, { headers, signal: stop, cache: 'no-store', credentials: 'omit' });
      if (!response.ok || response.body === null) throw refusalOf(response.status, await response.text());
      let problem: Refused | null = null;
      const read = eventLines(({ event, data }) => {
        if (event === 'problem') {
          const { status, detail } = JSON.parse(data) as { status: number; detail: string };
          problem = new Refused(status, detail);
          return;
        }
        told += 1;
        onNews(JSON.parse(data) as T);
      });
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(timer);
        timer = setTimeout(() => {
          silence.abort();
        }, SILENCE_MILLISECONDS);
        hear();
        read(decoder.decode(value, { stream: true }));
        if (problem !== null) throw problem as Refused;
        failures = 0;
        isHeldBack = false;
        say('live');
      }
      return true;
    } catch (error) {
      if (silence.signal.aborted && told === 0) isHeldBack = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function go(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        if (isHeldBack) {
          onNews(await ask<T>(document, { signal: ending.signal }));
          hear();
          say('polling');
          await pause(POLL_MILLISECONDS);
          // events may come through by now: another network, another proxy
          failures += 1;
          if (failures % 30 === 0) isHeldBack = false;
          continue;
        }
        await listen();
        // of a run: it has ended. Of a cluster: its coordinator has, and another may be there
        if (stream.includes('/runs/')) return;
        await pause(RETRY_MILLISECONDS[0]!);
      } catch (error) {
        if (ending.signal.aborted) return;
        if (error instanceof Refused && [401, 404].includes(error.status)) {
          say('waiting', error.message);
          return;
        }
        say('waiting', error instanceof Refused ? error.message : 'The coordinator does not answer.');
        await pause(RETRY_MILLISECONDS[Math.min(failures, RETRY_MILLISECONDS.length - 1)]!);
        failures += 1;
      }
    }
  }
  void go();
  return () => {
    ending.abort();
  };
}
