import { predictorOffsets } from '@orchard/dataset';
import { numberIn, PipelineError, writeDocument, type TaskContext, type TaskOutcome } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { listAll, type ObjectStore } from '@orchard/storage';
import { keyOf, tablesNames } from './artefacts.js';
import type { PostedVariable, VariableOutcome } from './computations.js';
import { boostingOptions, leafSearchOf, type TablesRun } from './tables-run.js';
import { trainingDataOf } from './training-data.js';
import { decodeDecisions } from './variable-codec.js';

/**
 * Trains one variable and stores it, from its newest checkpoint where there is one; does nothing where it is stored.
 */
export async function trainTask(
  { store, compute, isNew, signal, onProgress, onCheckpointFailure, checkpointSeconds }: TaskContext,
  run: TablesRun,
  index: number,
): Promise<TaskOutcome> {
  const key = keyOf(run, index);
  const name = tablesNames.variable(run.id, key);
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
  const checkpoint = isNew ? null : await latestCheckpoint(store, run.id, key);
  let storing = Promise.resolve();
  let hasCheckpoints = checkpoint !== null;
  const onCheckpoint = (bytes: Uint8Array, decisions: number): void => {
    hasCheckpoints = true;
    storing = storing
      .then(() => putCheckpoint(store, run.id, key, decisions, bytes))
      .catch((error: unknown) => onCheckpointFailure?.(error));
  };
  const task: PostedVariable = {
    position: run.ordering.indexOf(index),
    options: boostingOptions(run),
    revision: run.specification.revision,
    search: leafSearchOf(run),
    checkpoint,
  };
  const outcome = await compute
    .withData(trainingDataOf(run), (call) =>
      call<VariableOutcome>('variable', task, {
        ...{ signal, onProgress, onCheckpoint, checkpointSeconds },
        what: `variable ${run.table.variables[index]!.name}`,
      }),
    )
    .finally(() => storing);
  if (!outcome.finished) {
    if (outcome.bytes !== null) onCheckpoint(outcome.bytes, outcome.decisions);
    await storing;
    throw new PipelineError('interrupted', {
      got: `a request to stop after ${String(outcome.decisions)} decisions`,
      expected: 'time to finish',
      where: `variable ${run.table.variables[index]!.name}`,
      remedy: 'Run again: it goes on from what is stored.',
    });
  }
  await writeDocument(store, tablesNames.curves(run.id, key), outcome.curves);
  const stored = await store.put(name, outcome.bytes!);
  if (hasCheckpoints) await deleteCheckpoints(store, run.id, key);
  return { stored, progress: outcome.progress };
}

/** How many bits the variable's trees may split on. */
export function predictorsOf({ table, ordering }: TablesRun, index: number): number {
  const variables = Array.from(ordering, (at) => table.variables[at]!);
  return predictorOffsets({ variables })[ordering.indexOf(index)]!;
}

async function latestCheckpoint(store: ObjectStore, run: string, key: string): Promise<Uint8Array | null> {
  for (const decisions of (await checkpointsOf(store, run, key)).reverse()) {
    const name = tablesNames.checkpoint(run, key, decisions);
    try {
      const bytes = await store.get(name);
      decodeDecisions(bytes, name);
      return bytes;
    } catch (error) {
      // a convenience: training from an older one, or from none, ends in the same bytes
      if (!isRefusal(error, 'damaged-artefact', 'damaged')) throw error;
      await store.delete(name);
    }
  }
  return null;
}

async function putCheckpoint(
  store: ObjectStore,
  run: string,
  key: string,
  decisions: number,
  bytes: Uint8Array,
): Promise<void> {
  await store.put(tablesNames.checkpoint(run, key, decisions), bytes);
  for (const earlier of await checkpointsOf(store, run, key))
    if (earlier < decisions) await store.delete(tablesNames.checkpoint(run, key, earlier));
}

async function deleteCheckpoints(store: ObjectStore, run: string, key: string): Promise<void> {
  for (const decisions of await checkpointsOf(store, run, key))
    await store.delete(tablesNames.checkpoint(run, key, decisions));
}

/** By decisions done, ascending. */
async function checkpointsOf(store: ObjectStore, run: string, key: string): Promise<number[]> {
  const prefix = tablesNames.checkpoints(run, key);
  const found: number[] = [];
  for await (const { name } of listAll(store, prefix)) {
    const decisions = numberIn(name, prefix);
    if (decisions !== null) found.push(decisions);
  }
  return found.sort((a, b) => a - b);
}
