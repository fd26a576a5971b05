import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from './questions.js';
import { messageOf } from '../words.js';

export interface Answer<T> {
  readonly value: T | null;
  readonly problem: string | null;
}

/**
 * What the coordinator answers to a question, asked again whenever `again` is another value: once the answer that is on
 * its way has come, so that one who is slower than the questions is heard all the same. What was said before is shown
 * until something else is.
 *
 * @param path null asks nothing
 */
export function useAnswer<T>(path: string | null, again: unknown = 0): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ value: null, problem: null });
  const askOnce = useRef<() => void>(() => undefined);
  useEffect(() => {
    setAnswer({ value: null, problem: null });
    if (path === null) return;
    const leaving = new AbortController();
    const own = { isUnderWay: false, isWanted: false };
    askOnce.current = () => {
      own.isWanted = own.isUnderWay;
      if (own.isUnderWay) return;
      own.isUnderWay = true;
      ask<T>(path, { signal: leaving.signal })
        .then(
          (value) => {
            setAnswer({ value, problem: null });
          },
          (error: unknown) => {
            if (leaving.signal.aborted) return;
            const problem = messageOf(error);
            setAnswer(({ value }) => ({ value, problem }));
          },
        )
        .finally(() => {
          own.isUnderWay = false;
          if (own.isWanted && !leaving.signal.aborted) askOnce.current();
        });
    };
    return () => {
      leaving.abort();
    };
  }, [path]);
  useEffect(() => {
    if (path !== null) askOnce.current();
  }, [path, again]);
  return answer;
}

/** A number that grows every so many milliseconds while the page is seen. */
export function useTicks(milliseconds: number, isTicking: boolean): number {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setTicks((before) => before + 1);
    }, milliseconds);
    return () => {
      clearInterval(timer);
    };
  }, [milliseconds, isTicking]);
  return ticks;
}
