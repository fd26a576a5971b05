import type { WorkerPresence } from '@orchard/queue';

/** What people should know of an open run that no failure tells: that nobody is there who could work on it. */
export function noticesOf(id: string, workers: readonly WorkerPresence[]): readonly string[] {
  if (workers.length === 0) return ['No worker is there.'];
  const refused = workers.map((worker) => worker.refused[id]).filter((bytes) => bytes !== undefined);
  if (refused.length < workers.length) return [];
  const most = Math.max(...workers.map(({ memoryBytes }) => memoryBytes));
  const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  const needs = mebibytes(Math.min(...refused));
  return [`No worker has the memory for this run: it needs ${needs}, the largest has ${mebibytes(most)}.`];
}
