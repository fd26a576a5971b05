import { useEffect, useState } from 'preact/hooks';
import { ask } from './questions.js';

export interface Answer<T> {
  readonly value: T | null;
  readonly problem: string | null;
}

/**
 * What the coordinator answers to a question, asked again whenever `again` is another value. What it said before is shown until it says
 * something else.
 *
 * @param path null asks nothing
 */
export function useAnswer<T>(path: string | null, again: unknown = 0): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { readonly of: string | null }>({
    value: null,
    problem: null,
    of: null,
  });
  useEffect(() => {
    if (path === null) return;
    const leaving = new AbortController();
    ask<T>(path, { signal: leaving.signal }).then(
      (value) => {
        setAnswer({ value, problem: null, of: path });
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        setAnswer((before) => ({
          value: before.of === path ? before.value : null,
          problem: error instanceof Error ? error.message : String(error),
          of: path,
        }));
      },
    );
    return () => {
      leaving.abort();
    };
  }, [path, again]);
  return answer.of === path ? answer : { value: null, problem: null };
}

/** A number that grows every so many milliseconds while the page is seen. */
export function useTicks(milliseconds: number, isTicking = true): number {
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
