import type { JobQueues } from '@orchard/queue';
import type { ObjectStore } from '@orchard/storage';
import type { Attempts } from './attempts.js';
import type { Marks } from './marks.js';
import type { OpenRun } from './open-run.js';
import type { RunLog, RunObserver } from './runs.js';

/** What a reconciler and its parts work with. */
export interface ReconcilerPorts {
  readonly store: ObjectStore;
  readonly queues: JobQueues;
  readonly marks: Marks;
  readonly attempts: Attempts;
  readonly log: RunLog;
  readonly observer: RunObserver;
}

/** The open runs by their ids, as far as this process knows them: shared by the parts of one reconciler. */
export type OpenRuns = Map<string, OpenRun>;
