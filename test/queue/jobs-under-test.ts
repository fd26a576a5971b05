import { JOB_VERSION, type Job } from '@orchard/contracts';
import type { JobResult } from '@orchard/queue';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a job comes to that did its task. */
export const result: JobResult = {
  outcome: 'stored',
  progress: { share: 1, trees: 1, nats: null },
  seconds: 0,
  reason: null,
  waitMilliseconds: 0,
};

/** The training of one dimension of a run. */
export const jobOf = (run: string, dimension: number): { job: Job; pool: 'worker' } => {
  const task = { run, kind: 'train', key: String(dimension) };
  return {
    job: { version: JOB_VERSION, task, family: 'lbarn', numericsVersion: 1, detail: {}, isNew: true },
    pool: 'worker',
  };
};

/** Waits until something holds. @throws where it does not within the seconds */
export async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 120): Promise<void> {
  for (let waited = 0; !(await holds()); waited += 20) {
    if (waited > seconds * 1000) throw new Error(`waited ${seconds} s in vain until ${what}`);
    await sleep(20);
  }
}
