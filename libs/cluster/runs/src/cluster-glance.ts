import { taskNames, type ClusterGlance, type WorkerGlance } from '@orchard/contracts';
import type { Families } from '@orchard/pipeline';
import type { HeldTask, JobQueues, LateWorker } from '@orchard/queue';
import type { StoreReconciler } from './reconciler.js';
import { glanceOf } from './status.js';

/**
 * The open runs as this process knows them, and the workers as Redis does. A few requests to Redis, however many runs
 * there are.
 */
export async function glanceAtCluster(
  families: Families,
  queues: Pick<JobQueues, 'lateWorkers' | 'held'>,
  reconciler: Pick<StoreReconciler, 'allTracked'>,
): Promise<ClusterGlance> {
  const [workers, held] = await Promise.all([queues.lateWorkers(), queues.held()]);
  return {
    runs: reconciler.allTracked().map(([id, run]) => glanceOf(families, id, run)),
    workers: workers.map((worker) => workerOf(worker, held)).sort(byName),
  };
}

function workerOf(worker: LateWorker, held: readonly HeldTask[]): WorkerGlance {
  const { id, name = id, pool, threads, memoryBytes, notice, silentSeconds, isThere, refused } = worker;
  const own = held.filter((one) => one.worker === name);
  return {
    id,
    name,
    pool,
    threads,
    memoryBytes,
    notice,
    silentSeconds,
    isThere,
    holds: own.map(({ job: { task }, progress }) => ({
      run: task.run,
      task: taskNames.work(task),
      share: progress.share,
    })),
    refused: Object.entries(refused).map(([run, bytes]) => ({ run, bytes })),
  };
}

const byName = (a: WorkerGlance, b: WorkerGlance): number =>
  a.pool === b.pool ? a.name.localeCompare(b.name, 'en', { numeric: true }) : a.pool === 'worker' ? -1 : 1;
