import type { ModelSummary } from '@orchard/contracts';
import { meanLogDensities } from '@orchard/dataset';
import { concurrently, loadDataset, storeModelFiles } from '@orchard/pipeline';
import type { JsonValue, VariableFigures } from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import { tablesNames } from './artefacts.js';
import { TableModel } from './table-model.js';
import type { TablesRun } from './tables-run.js';
import { predictorsOf } from './train-task.js';
import { decodeVariable } from './variable-codec.js';

const readsAtOnce = 8;

/** Makes one model of a run's variables, with its summary and, where one is wanted, its report. */
export async function assembleTable(store: ObjectStore, run: TablesRun, withReport: boolean): Promise<void> {
  const { model, variables } = await modelOf(store, run);
  await storeModelFiles(store, run, model, { variables } satisfies Partial<ModelSummary>, async () => {
    if (!withReport) return null;
    const { reportOnTable } = await import('./report.js');
    return reportOnTable(store, run, model, variables);
  });
}

export async function modelOf(
  store: ObjectStore,
  run: TablesRun,
): Promise<{ readonly model: TableModel; readonly variables: readonly VariableFigures[] }> {
  const trained = await concurrently([...run.ordering], readsAtOnce, async (index) => {
    const name = tablesNames.variable(run.id, index);
    return decodeVariable(await store.get(name), name, predictorsOf(run, index));
  });
  const { train, valid, test } = run.datasets;
  const densities = {
    train: await densitiesOf(store, train.id),
    valid: await densitiesOf(store, valid.id),
    test: test === null ? null : await densitiesOf(store, test.id),
  };
  const variables = run.table.variables.map(({ name }, index): VariableFigures => {
    const own = trained[run.ordering.indexOf(index)]!;
    return {
      name,
      train: own.train / train.rows + densities.train[index]!,
      valid: own.valid / valid.rows + densities.valid[index]!,
      test: own.test === null || test === null ? null : own.test / test.rows + densities.test![index]!,
    };
  });
  const sum = (split: 'train' | 'valid'): number => variables.reduce((all, figures) => all + figures[split], 0);
  const model = new TableModel({
    table: run.table,
    ordering: run.ordering,
    ensembles: trained.map(({ ensembles }) => ensembles),
    specification: { runId: run.id, ...run.specification } as JsonValue,
    likelihoods: {
      train: sum('train'),
      valid: sum('valid'),
      test: test === null ? null : variables.reduce((all, figures) => all + figures.test!, 0),
    },
  });
  return { model, variables };
}

/** What densities add to the log-probabilities of codes, mean nats a row, by variable. */
async function densitiesOf(store: ObjectStore, id: string): Promise<Float64Array> {
  return meanLogDensities(await loadDataset(store, id));
}
