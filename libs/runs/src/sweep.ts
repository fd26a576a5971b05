import { artefactNames } from '@orchard/pipeline';
import { listAll } from '@orchard/storage';
import { heldJobs, letGo } from './held-jobs.js';
import { lifeOf, type Life } from './life.js';
import type { ReconcilerPorts } from './reconciler-ports.js';

const deletionsAtOnce = 32;

/** Removes all that a run has stored, and marks it as removed when nobody works on it any more. */
export async function sweep(
  { store, queues, marks, log }: Pick<ReconcilerPorts, 'store' | 'queues' | 'marks' | 'log'>,
  id: string,
  life: Life,
): Promise<void> {
  const own = (await heldJobs(queues)).filter(({ job }) => job.runId === id);
  await letGo(queues, id, own);
  const names: string[] = [];
  for await (const { name } of listAll(store, artefactNames.run(id))) names.push(name);
  for (let at = 0; at < names.length; at += deletionsAtOnce) {
    // a new life of the run may have begun meanwhile
    if (lifeOf(await marks.of(id))?.standing !== 'deleting') return;
    await Promise.all(names.slice(at, at + deletionsAtOnce).map((name) => store.delete(name)));
  }
  if (own.some(({ state }) => state === 'active')) return;
  if ((await store.list(artefactNames.run(id), { limit: 1 })).length > 0) return;
  await marks.append(id, life.marks, { kind: 'removed' });
  log.info({ run: id, objects: names.length }, 'the run is removed');
}
