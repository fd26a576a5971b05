import type { Job } from '@orchard/contracts';
import { choiceName } from '@orchard/pipeline';

/** The name of a piece of work within its run, for its attempts. None is the beginning of another with a slash behind it. */
export function workName(job: Job): string {
  switch (job.stage) {
    case 'train':
      return `train/${job.dimension}`;
    case 'refit':
      return `refit-${job.plan.slice(0, 16)}/${job.dimension}`;
    case 'select':
      return 'select/all';
    case 'assemble':
      return `assemble/${choiceName({ selection: job.selection, refit: job.refit })}`;
  }
}

/** The stored dimension that the work is about, or null. */
export function dimensionOf(job: Job): number | null {
  return job.stage === 'train' || job.stage === 'refit' ? job.dimension : null;
}
