import { sha256Schema } from '@orchard/contracts';
import { asTabular, type TabularModel } from '@orchard/model';
import { artefactNames, PipelineError } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';

/** A model that a run has stored, by what was wanted of the run. */
export const modelOfRunSchema = z.strictObject({ run: sha256Schema, wanted: z.string().max(200) });

export type ModelOfRun = z.infer<typeof modelOfRunSchema>;

/** The last one that this thread opened: its next task is most likely of the same run. */
let last: { readonly name: string; readonly model: TabularModel } | null = null;

/** @throws PipelineError `missing-artefact` where the run was deleted; ModelError for bytes that are no model */
export async function openModelOfRun(
  store: Pick<ObjectStore, 'get'>,
  { run, wanted }: ModelOfRun,
): Promise<TabularModel> {
  const name = artefactNames.network(run, wanted);
  if (last?.name !== name) {
    // what this is imported by, and what knows the kinds of models of packages that may not be installed
    const { families } = await import('./index.js');
    last = { name, model: asTabular(families.openModel(await bytesOf(store, name, run))) };
  }
  return last.model;
}

async function bytesOf(store: Pick<ObjectStore, 'get'>, name: string, run: string): Promise<Uint8Array> {
  try {
    return await store.get(name);
  } catch (cause) {
    if (!isRefusal(cause, 'missing')) throw cause;
    throw new PipelineError(
      'missing-artefact',
      {
        got: `run ${run}, which was deleted or has lost its model`,
        expected: 'the model that is asked',
        where: name,
        remedy: 'Submit that run again, which computes the same model; then resume this one.',
      },
      { cause },
    );
  }
}
