import { taskNames } from '@orchard/contracts';
import { listAll, type ObjectStore } from '@orchard/storage';
import { artefactNames } from './artefact-names.js';
import { tellingKind, type Family } from './family.js';
import type { Run } from './run.js';

/**
 * Summed validation nats of what is stored of the tasks that report the likelihood while those of a kind are done, by
 * key: for what others trained.
 *
 * @param known keys that are not read
 * @param most how many are read
 * @returns none where tasks of the kind report none
 */
export async function storedNats(
  store: ObjectStore,
  family: Family,
  run: Run,
  kind: string,
  known: ReadonlySet<string>,
  most = Infinity,
): Promise<ReadonlyMap<string, number>> {
  const { folder, rising } = tellingKind(family, kind);
  if (rising === undefined || family.readNats === undefined) return new Map();
  const keys: string[] = [];
  for await (const { name } of listAll(store, `${artefactNames.run(run.id)}${folder}/`)) {
    const key = taskNames.keyOfArtefact(name, run.id, folder);
    if (key !== null && !known.has(key)) keys.push(key);
    if (keys.length >= most) break;
  }
  return family.readNats(store, run, keys);
}
