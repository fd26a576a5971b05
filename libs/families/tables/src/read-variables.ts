import { concurrently } from '@orchard/pipeline';
import { roundedEnsemble, untold, type JsonValue, type Likelihoods } from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import { keyOf, tablesNames } from './artefacts.js';
import { TableModel } from './table-model.js';
import type { TablesRun } from './tables-run.js';
import { predictorsOf } from './train-task.js';
import type { TrainedVariable } from './train-variable.js';
import { decodeVariable } from './variable-codec.js';

const readsAtOnce = 8;

/**
 * What a run, or a member of one, has trained, by variable in stored order.
 *
 * @throws StorageError `missing`; PipelineError `damaged-artefact`
 */
export async function variablesOf(store: ObjectStore, run: TablesRun): Promise<readonly TrainedVariable[]> {
  return concurrently([...run.table.variables.keys()], readsAtOnce, async (index) => {
    const name = tablesNames.variable(run.id, keyOf(run, index));
    return decodeVariable(await store.get(name), name, predictorsOf(run, index));
  });
}

/** The model that they make, of rounded trees. @param likelihoods its figures, where there are any */
export function modelOfVariables(
  { id, table, ordering, specification, member }: TablesRun,
  variables: readonly TrainedVariable[],
  likelihoods: Likelihoods = untold,
): TableModel {
  const of = member === null ? {} : { of: { member } };
  return new TableModel({
    table,
    ordering,
    ensembles: Array.from(ordering, (index) => variables[index]!.ensembles.map(roundedEnsemble)),
    lines: Array.from(ordering, (index) => variables[index]!.line),
    specification: { runId: id, ...specification, ...of } as JsonValue,
    likelihoods,
  });
}
