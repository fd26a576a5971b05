import type { TaskCount } from '@orchard/runs';
import { z } from 'zod';

const count = z.int().min(0);

/**
 * How much work there is for workers and selectors: what an autoscaler asks. Waiting work counts whether it is in the
 * queue or not yet.
 */
export const clusterLoadSchema = z.strictObject({
  waiting: count,
  active: count,
  jobs: count.meta({ description: 'waiting + active: scale workers by this, and none with work is ended' }),
  selectors: z.strictObject({ waiting: count, active: count, jobs: count }).meta({
    description: 'the same of the tasks that selectors take: a run ends in some of them',
  }),
});

export type ClusterLoad = z.infer<typeof clusterLoadSchema>;

/** Of the tasks that workers take, and beside them of those that selectors take. */
export function loadOf(counts: readonly TaskCount[]): ClusterLoad {
  return { ...loadOn('worker', counts), selectors: loadOn('selector', counts) };
}

function loadOn(wanted: TaskCount['pool'], counts: readonly TaskCount[]): ClusterLoad['selectors'] {
  const sum = (state: TaskCount['state']): number =>
    counts.filter((one) => one.state === state && one.pool === wanted).reduce((total, work) => total + work.count, 0);
  const waiting = sum('waiting');
  const active = sum('active');
  return { waiting, active, jobs: waiting + active };
}
