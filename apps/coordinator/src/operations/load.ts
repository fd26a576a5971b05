import type { TaskCount } from '@orchard/runs';
import { z } from 'zod';

const count = z.int().min(0);

/**
 * How much work there is for workers: what an autoscaler asks. Waiting work counts whether it is in the queue or not
 * yet.
 */
export const clusterLoadSchema = z.strictObject({
  waiting: count,
  active: count,
  jobs: count.meta({ description: 'waiting + active: scale workers by this, and none with work is ended' }),
});

export type ClusterLoad = z.infer<typeof clusterLoadSchema>;

/** Of the tasks that workers take; selectors are not scaled. */
export function loadOf(counts: readonly TaskCount[]): ClusterLoad {
  const sum = (wanted: TaskCount['state']): number =>
    counts
      .filter(({ pool, state }) => state === wanted && pool === 'worker')
      .reduce((total, work) => total + work.count, 0);
  const waiting = sum('waiting');
  const active = sum('active');
  return { waiting, active, jobs: waiting + active };
}
