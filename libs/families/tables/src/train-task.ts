import { predictorOffsets } from '@orchard/dataset';
import { Checkpoints, PipelineError, writeDocument, type TaskContext, type TaskOutcome } from '@orchard/pipeline';
import { keyOf, tablesNames } from './artefacts.js';
import type { PostedVariable, VariableOutcome } from './computations.js';
import { boostingOptions, leafSearchOf, linesOf, type TablesRun } from './tables-run.js';
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
  const checkpoints = new Checkpoints(store, tablesNames.checkpoints(run.id, key), decodeDecisions);
  const checkpoint = isNew ? null : await checkpoints.latest();
  const onCheckpoint = (bytes: Uint8Array, decisions: number): void =>
    checkpoints.put(bytes, decisions, (error) => onCheckpointFailure?.(error));
  const task: PostedVariable = {
    position: run.ordering.indexOf(index),
    options: boostingOptions(run),
    revision: run.specification.revision,
    search: leafSearchOf(run),
    lines: linesOf(run),
    checkpoint,
  };
  const outcome = await compute
    .withData(trainingDataOf(run), (call) =>
      call<VariableOutcome>('variable', task, {
        signal,
        onProgress,
        onCheckpoint,
        checkpointSeconds,
        what: `variable ${run.table.variables[index]!.name}`,
      }),
    )
    .finally(() => checkpoints.stored());
  if (!outcome.finished) {
    if (outcome.bytes !== null) onCheckpoint(outcome.bytes, outcome.decisions);
    await checkpoints.stored();
    throw new PipelineError('interrupted', {
      got: `a request to stop after ${String(outcome.decisions)} decisions`,
      expected: 'time to finish',
      where: `variable ${run.table.variables[index]!.name}`,
      remedy: 'Run again: it goes on from what is stored.',
    });
  }
  await writeDocument(store, tablesNames.curves(run.id, key), outcome.curves);
  const stored = await store.put(name, outcome.bytes!);
  await checkpoints.clear();
  return { stored, progress: outcome.progress };
}

/** How many bits the variable's trees may split on. */
export function predictorsOf({ table, ordering }: TablesRun, index: number): number {
  const variables = Array.from(ordering, (at) => table.variables[at]!);
  return predictorOffsets({ variables })[ordering.indexOf(index)]!;
}
