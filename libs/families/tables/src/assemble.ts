import type { ModelSummary } from '@orchard/contracts';
import { meanLogDensities } from '@orchard/dataset';
import { loadDataset, storeModelFiles } from '@orchard/pipeline';
import type { TabularModel, VariableFigures } from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import { membersOf } from './members/member-run.js';
import { mixTable, type MixedTable } from './members/mix.js';
import { modelOfVariables, variablesOf } from './read-variables.js';
import type { TablesRun } from './tables-run.js';

/** A finished model with what its summary says beside it. */
export type FinishedModel = { readonly model: TabularModel; readonly variables: readonly VariableFigures[] } & Partial<
  Pick<MixedTable, 'members' | 'judged'>
>;

/** Makes one model of a run's variables, with its summary and, where one is wanted, its report. */
export async function assembleTable(store: ObjectStore, run: TablesRun, withReport: boolean): Promise<void> {
  const { model, ...figures } = await modelOf(store, run);
  await storeModelFiles(store, run, model, figures satisfies Partial<ModelSummary>, async () => {
    if (!withReport) return null;
    const { reportOnTable } = await import('./report.js');
    return reportOnTable(store, run, model, figures.variables);
  });
}

export async function modelOf(store: ObjectStore, run: TablesRun): Promise<FinishedModel> {
  const members = membersOf(run);
  return members === null ? modelOfOne(store, run) : mixTable(store, run, members);
}

async function modelOfOne(store: ObjectStore, run: TablesRun): Promise<FinishedModel> {
  const trained = await variablesOf(store, run);
  const { train, valid, test } = run.datasets;
  const densities = {
    train: await densitiesOf(store, train.id),
    valid: await densitiesOf(store, valid.id),
    test: test === null ? null : await densitiesOf(store, test.id),
  };
  const variables = run.table.variables.map(({ name }, index): VariableFigures => {
    const own = trained[index]!;
    return {
      name,
      train: own.train / train.rows + densities.train[index]!,
      valid: own.valid / valid.rows + densities.valid[index]!,
      test: own.test === null || test === null ? null : own.test / test.rows + densities.test![index]!,
      ...(own.leaves !== undefined && { leaves: [own.leaves] }),
    };
  });
  const sum = (split: 'train' | 'valid'): number => variables.reduce((all, figures) => all + figures[split], 0);
  const model = modelOfVariables(run, trained, {
    train: sum('train'),
    valid: sum('valid'),
    test: test === null ? null : variables.reduce((all, figures) => all + figures.test!, 0),
  });
  return { model, variables };
}

/** What densities add to the log-probabilities of codes, mean nats per row, by variable. */
async function densitiesOf(store: ObjectStore, id: string): Promise<Float64Array> {
  return meanLogDensities(await loadDataset(store, id));
}
