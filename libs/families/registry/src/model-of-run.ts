import { sha256Schema } from '@orchard/contracts';
import { asTabular, type TabularModel } from '@orchard/model';
import { artefactNames } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';

/** A model that a run has stored, by what was wanted of the run. */
export const modelOfRunSchema = z.strictObject({ run: sha256Schema, wanted: z.string().max(200) });

export type ModelOfRun = z.infer<typeof modelOfRunSchema>;

/** The last one that this thread opened: its next task is most likely of the same run. */
let last: { readonly name: string; readonly model: TabularModel } | null = null;

/** @throws StorageError `missing` where the run was deleted; ModelError for bytes that are no model */
export async function openModelOfRun(
  store: Pick<ObjectStore, 'get'>,
  { run, wanted }: ModelOfRun,
): Promise<TabularModel> {
  const name = artefactNames.network(run, wanted);
  if (last?.name !== name) {
    // what this is imported by, and what knows the kinds of models of packages that may not be installed
    const { families } = await import('./index.js');
    last = { name, model: asTabular(families.openModel(await store.get(name))) };
  }
  return last.model;
}
