import type { ModelSummary } from '@orchard/contracts';
import { meanLogDensities } from '@orchard/dataset';
import { loadSplits, storeModelFiles, warningsOfOrdering, type ReportOptions } from '@orchard/pipeline';
import { asTabular, variableNats, type TabularModel, type VariableFigures } from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import { lineFigures } from './line/line-figures.js';
import { membersOf } from './members/member-run.js';
import { mixTable, type MixedTable } from './members/mix.js';
import { requireOrderings } from './members/ordered-run.js';
import { modelOfVariables, variablesOf } from './read-variables.js';
import type { TablesRun } from './tables-run.js';

/** A finished model with what its summary says beside it. */
export type FinishedModel = { readonly model: TabularModel; readonly variables: readonly VariableFigures[] } & Partial<
  Pick<MixedTable, 'members' | 'judged'>
>;

/** Makes one model of a run's variables, with its summary and, where one is wanted, its report. */
export async function assembleTable(store: ObjectStore, run: TablesRun, withReport: boolean): Promise<void> {
  const { model, ...made } = await modelOf(store, run);
  const warnings = [...run.found].flatMap(([kind, found]) => warningsOfOrdering(kind, found, run.datasets.train.rows));
  const figures = { ...made, ...(warnings.length > 0 && { warnings }) } satisfies Partial<ModelSummary>;
  await storeModelFiles(store, run, model, figures, async () => {
    if (!withReport) return null;
    const { reportOnTable } = await import('./report.js');
    return reportOnTable(store, run, model, figures.variables);
  });
}

/** The model that is stored, where the caller holds it: its summary has what is said beside it. */
export function heldModel({ model, summary }: NonNullable<ReportOptions['held']>): FinishedModel {
  return { model: asTabular(model), variables: summary['variables'] as readonly VariableFigures[] };
}

export async function modelOf(store: ObjectStore, run: TablesRun): Promise<FinishedModel> {
  requireOrderings(run);
  const members = membersOf(run);
  return members === null ? modelOfOne(store, run) : mixTable(store, run, members);
}

async function modelOfOne(store: ObjectStore, run: TablesRun): Promise<FinishedModel> {
  const trained = await variablesOf(store, run);
  const { train, valid, test } = await loadSplits(store, run);
  const densities = { train: meanLogDensities(train), valid: meanLogDensities(valid) };
  // what training computed is of the trees before they were rounded, and of validation rows before they were learned
  // from
  const judged = modelOfVariables(run, trained);
  const ofTest = test && variableNats(judged, test);
  const variables = run.table.variables.map(({ name }, index): VariableFigures => {
    const own = trained[index]!;
    return {
      name,
      train: own.train / train.rows + densities.train[index]!,
      valid: own.valid / valid.rows + densities.valid[index]!,
      test: ofTest && ofTest[index]!,
      ...(own.leaves !== undefined && { leaves: [own.leaves] }),
      ...lineFigures(run.table, [judged.lineOf(index)]),
    };
  });
  const sum = (split: 'train' | 'valid' | 'test'): number => variables.reduce((all, own) => all + own[split]!, 0);
  const likelihoods = { train: sum('train'), valid: sum('valid'), test: test && sum('test') };
  return { model: modelOfVariables(run, trained, likelihoods), variables };
}
