/** How much a worker takes on after deaths under its name. */
export interface Pace {
  /** Tasks at once; none while it waits, `Infinity` where nothing slows it. */
  readonly tasks: number;
  /** From its start until it takes the first. */
  readonly waitSeconds: number;
}

/** Deaths are kept for so long. */
export const rememberedSeconds = 600;
/** A worker that lived so long has recovered: what killed it before is over. */
export const recoverySeconds = 180;
const longestWaitSeconds = 60;

/**
 * The pace of a worker that came back: after one death it takes one task at a time, since what killed it may be how
 * much it did at once; after more it also waits before it takes any, 4 s, 8 s, and so on to a minute, so that others
 * take the tasks that it would only lose. Never less than that: where it is the only worker, one that dies is better
 * than none.
 *
 * @param deaths within the last ten minutes
 * @param livedSeconds since its start
 */
export function paceAfter(deaths: number, livedSeconds: number): Pace {
  if (deaths === 0 || livedSeconds >= recoverySeconds) return { tasks: Infinity, waitSeconds: 0 };
  const waitSeconds = deaths === 1 ? 0 : Math.min(longestWaitSeconds, 2 ** deaths);
  return { tasks: livedSeconds < waitSeconds ? 0 : 1, waitSeconds };
}

/**
 * What people should know of a worker that came back after deaths; null where nothing slows it.
 *
 * @param who as people call it, `Worker host-7`
 */
export function slownessOf(who: string, deaths: number, { tasks, waitSeconds }: Pace): string | null {
  if (deaths === 0 || tasks === Infinity) return null;
  const times = deaths === 1 ? 'once' : `${deaths} times`;
  const waits = tasks === 0 ? `waits ${waitSeconds} s before it takes tasks, and then takes` : 'takes';
  return (
    `${who} died ${times} within ${rememberedSeconds / 60} minutes without a word: killed, or out of memory. It ${waits} ` +
    `one task at a time until it has lived for ${recoverySeconds / 60} minutes. Give it more memory, or fewer threads.`
  );
}
