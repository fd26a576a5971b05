import type { Job } from '@orchard/contracts';

/**
 * The name of a job: the same work is the same job, which Redis holds once. BullMQ wants no `:` in it and not digits alone.
 * 16 digits tell the plans of one run apart.
 */
export function jobIdOf(job: Job): string {
  switch (job.stage) {
    case 'train':
      return `train-${job.runId}-${job.dimension}`;
    case 'refit':
      return `refit-${job.runId}-${job.plan.slice(0, 16)}-${job.dimension}`;
    case 'select':
      return `select-${job.runId}`;
    case 'assemble':
      return `assemble-${job.runId}-${job.selection}${job.refit ? '-refit' : ''}`;
  }
}
