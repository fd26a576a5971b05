import { queueNames, type JobQueues, type QueuedJob } from '@orchard/queue';
import { lifeOf, type Life } from './life.js';
import type { OpenRuns, ReconcilerPorts } from './reconciler-ports.js';

/** All jobs that Redis holds: those of the runs' windows, and of runs that are none any more. */
export async function heldJobs(queues: JobQueues): Promise<readonly QueuedJob[]> {
  return (await Promise.all(queueNames.map((name) => queues.jobs(name)))).flat();
}

/** Takes over what Redis holds; what it lost is put there again by the next filling. */
export function takeOver(open: OpenRuns, held: readonly QueuedJob[]): void {
  for (const run of open.values()) {
    run.queued.clear();
    run.active.clear();
  }
  for (const { id, job, state } of held) {
    const run = open.get(job.runId);
    run?.queued.add(id);
    if (state === 'active') run?.active.add(id);
  }
}

/** Lets go of the jobs of runs that are not open. */
export async function stopUnwanted(
  { queues, marks }: Pick<ReconcilerPorts, 'queues' | 'marks'>,
  held: readonly QueuedJob[],
  lives: ReadonlyMap<string, Life | null>,
): Promise<void> {
  const unwanted = new Map<string, QueuedJob[]>();
  for (const one of held) {
    if (lives.get(one.job.runId)?.standing === 'open') continue;
    unwanted.set(one.job.runId, [...(unwanted.get(one.job.runId) ?? []), one]);
  }
  for (const [id, own] of unwanted) {
    // it may have been submitted since the marks were read
    if (lifeOf(await marks.of(id))?.standing !== 'open') await letGo(queues, id, own);
  }
}

/** Takes a run's waiting jobs from the queue, and tells the workers to stop those in hand. */
export async function letGo(queues: JobQueues, id: string, held: readonly QueuedJob[]): Promise<void> {
  if (held.some(({ state }) => state === 'active')) await queues.requestStop(id);
  const idle = held.filter(({ state }) => state !== 'active').map((one) => one.id);
  if (idle.length === 0) return;
  for (const name of queueNames) await queues.remove(name, idle);
}
