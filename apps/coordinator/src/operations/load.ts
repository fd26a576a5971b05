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
  jobs: count.meta({
    description: 'waiting + active, and all readings: scale workers by this, and none with work is ended',
  }),
  readings: z.strictObject({ waiting: count, active: count }).meta({
    description: 'sources that workers read, one at a time each, beside their tasks',
  }),
  selectors: z.strictObject({ waiting: count, active: count, jobs: count }).meta({
    description: 'the same of the tasks that selectors take: a run ends in some of them',
  }),
});

export type ClusterLoad = z.infer<typeof clusterLoadSchema>;

/** Of what workers take, tasks and readings, and beside it of the tasks that selectors take. */
export function loadOf(counts: readonly TaskCount[], readings: ClusterLoad['readings']): ClusterLoad {
  const { jobs, ...tasks } = loadOn('worker', counts);
  const all = jobs + readings.waiting + readings.active;
  return { ...tasks, jobs: all, readings, selectors: loadOn('selector', counts) };
}

function loadOn(wanted: TaskCount['pool'], counts: readonly TaskCount[]): ClusterLoad['selectors'] {
  const sum = (state: TaskCount['state']): number =>
    counts.filter((one) => one.state === state && one.pool === wanted).reduce((total, work) => total + work.count, 0);
  const waiting = sum('waiting');
  const active = sum('active');
  return { waiting, active, jobs: waiting + active };
}
