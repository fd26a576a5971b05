import { predictorOffsets } from '@orchard/dataset';
import { trainFromCheckpoints, writeDocument, type TaskContext, type TaskOutcome } from '@orchard/pipeline';
import { keyOf, tablesNames } from './artefacts.js';
import type { PostedVariable, VariableOutcome } from './computations.js';
import { requireOrderings } from './members/ordered-run.js';
import { boostingOptions, leafSearchOf, linesOf, type TablesRun } from './tables-run.js';
import { trainingDataOf } from './training-data.js';
import { decodeDone } from './variable-codec.js';

/** Trains one variable and stores it with its curves, from its newest checkpoint where there is one. */
export async function trainTask(context: TaskContext, run: TablesRun, index: number): Promise<TaskOutcome> {
  requireOrderings(run);
  const { store, compute } = context;
  const key = keyOf(run, index);
  const task: Omit<PostedVariable, 'checkpoint'> = {
    position: run.ordering.indexOf(index),
    options: boostingOptions(run),
    revision: run.specification.revision,
    select: run.specification.select,
    search: leafSearchOf(run),
    lines: linesOf(run),
  };
  return trainFromCheckpoints<VariableOutcome>(context, {
    name: tablesNames.variable(run.id, key),
    checkpoints: tablesNames.checkpoints(run.id, key),
    check: decodeDone,
    what: `variable ${run.table.variables[index]!.name}`,
    train: (checkpoint, hooks) =>
      compute.withData(trainingDataOf(run), (call) => call('variable', { ...task, checkpoint }, hooks)),
    storeBeside: ({ curves }) => writeDocument(store, tablesNames.curves(run.id, key), curves),
  });
}

/** How many bits the variable's trees may split on. */
export function predictorsOf({ table, ordering }: TablesRun, index: number): number {
  return predictorOffsets(table, ordering)[ordering.indexOf(index)]!;
}
