import type { Likelihood, RunStatus } from '@orchard/contracts';

/** Seconds since the run was submitted, and nats per held-out row. */
export type HeldOutPoint = readonly [seconds: number, nats: number];

/**
 * The likelihood of a run as its tasks came in, with what workers tell now of tasks that are not stored yet.
 *
 * @param now milliseconds since 1970
 */
export function heldOutPoints(
  { points }: Pick<Likelihood, 'points'>,
  { logLikelihood, state, submittedAt }: Pick<RunStatus, 'logLikelihood' | 'state' | 'submittedAt'>,
  now: number,
): readonly HeldOutPoint[] {
  // of a run that is done it is the model's, which was there before now
  if (logLikelihood === null || state === 'done') return points;
  const last = points.at(-1)?.[0] ?? 0;
  return [...points, [Math.max(last, (now - Date.parse(submittedAt)) / 1000), logLikelihood]];
}

/** Whether the curve needs a word: people expect it to rise. */
export function fallsSomewhere(points: readonly HeldOutPoint[]): boolean {
  return points.some(([, nats], at) => at > 0 && nats < points[at - 1]![1]);
}
