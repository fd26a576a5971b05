import type { DatasetFacts } from '@orchard/contracts';
import type { WorkerPresence } from '@orchard/queue';

/** Data of so many bytes are better trained where they are. */
const farBytes = 64 * 2 ** 20;

/**
 * Whether another worker with a thread free has a data set on its disk, and this machine has not: to fetch much takes
 * longer than a task waits.
 */
export async function isNearOthers(
  { id, rows, dimensions }: Pick<DatasetFacts, 'id' | 'rows' | 'dimensions'>,
  {
    isCached,
    others,
  }: {
    readonly isCached: (dataset: string) => Promise<boolean>;
    readonly others: () => Promise<readonly Pick<WorkerPresence, 'active' | 'threads' | 'cached'>[]>;
  },
): Promise<boolean> {
  if ((rows * dimensions) / 8 < farBytes || (await isCached(id))) return false;
  return (await others()).some(({ cached, active, threads }) => cached?.includes(id) === true && active < threads);
}
