import { listAll, type ObjectStore } from '@orchard/storage';
import { artefactNames } from './artefact-names.js';
import type { Run } from './run.js';

export async function storedNames(store: ObjectStore, { id }: Pick<Run, 'id'>): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { name } of listAll(store, artefactNames.run(id))) names.add(name);
  return names;
}
