import type { ClusterGlance } from '@orchard/contracts';
import { setTimeout as sleep } from 'node:timers/promises';

const lookMilliseconds = 1_000;

/**
 * What the cluster does, looked at once a second; yields it when it has changed. While Redis is away nothing new comes.
 */
export async function* clusterStates(
  glance: () => Promise<ClusterGlance>,
  signal: AbortSignal,
): AsyncGenerator<ClusterGlance, void> {
  let last = '';
  while (!signal.aborted) {
    const state = await glance().catch(() => null);
    const text = state === null ? last : JSON.stringify(state);
    if (state !== null && text !== last) yield state;
    last = text;
    await sleep(lookMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
