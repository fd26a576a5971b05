import type { MemberFigures } from '@orchard/contracts';
import { meanLogDensities } from '@orchard/dataset';
import { mixtureOf } from '@orchard/members';
import { asTabular, variableNats, type JsonValue, type TabularModel, type VariableFigures } from '@orchard/model';
import { log, logSumExp, meanOf, sumOf } from '@orchard/numerics';
import { loadSplits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { lineFigures } from '../line/line-figures.js';
import { modelOfVariables, variablesOf } from '../read-variables.js';
import type { TableModel } from '../table-model.js';
import type { TablesRun } from '../tables-run.js';
import type { TrainedVariable } from '../train-variable.js';
import { viewsOf } from './member-run.js';
import type { TableMembers } from './table-members.js';

/** A mixture, and what is to be said of it beside its file. */
export interface MixedTable {
  readonly model: TabularModel;
  /**
   * For training and validation rows the likelihoods of single members, each of the rows that it learned from and of
   * its fold; of test rows what the mixture does.
   */
  readonly variables: readonly VariableFigures[];
  readonly members: readonly MemberFigures[];
  /**
   * Rows that members are held against: validation rows, where there are no test rows, have trained all members but
   * one.
   */
  readonly judged: 'test' | 'validation';
}

/**
 * Mixes the members of a run, all with the same weight: products in other orderings, of which each was validated by
 * other rows (the README's "Members").
 */
export async function mixTable(store: ObjectStore, run: TablesRun, members: TableMembers): Promise<MixedTable> {
  const splits = await loadSplits(store, run);
  const judge = splits.test ?? splits.valid;
  const densities = sumOf(meanLogDensities(judge));
  const pooled = pooledDensities(run, meanLogDensities(splits.train), meanLogDensities(splits.valid));
  const models: TableModel[] = [];
  const trained: (readonly TrainedVariable[])[] = [];
  const figures: MemberFigures[] = [];
  let together: Float64Array | null = null;
  for (const [member, view] of viewsOf(run).entries()) {
    const variables = await variablesOf(store, view);
    const model = modelOfVariables(view, variables);
    const own = model.logLikelihood(judge);
    together = together === null ? own : together.map((sum, row) => logSumExp([sum, own[row]!]));
    models.push(model);
    trained.push(variables);
    figures.push({
      member,
      ordering: members.orderings[member % members.orderings.length]!,
      folds: [view.fold!.fold],
      weight: 1 / members.count,
      trees: model.ensembles.flat().reduce((sum, { leafCounts }) => sum + leafCounts.length, 0),
      foldLogLikelihood: variables.reduce(
        (sum, { valid }, index) => sum + valid / view.datasets.valid.rows + pooled[index]!,
        0,
      ),
      heldOutLogLikelihood: meanOf(own) + densities,
      togetherLogLikelihood: meanOf(together) - log(member + 1) + densities,
    });
  }
  const model = asTabular(
    mixtureOf({
      members: models,
      weights: new Float64Array(members.count).fill(1 / members.count),
      specification: { runId: run.id, ...run.specification } as JsonValue,
      likelihoods: {
        train: null,
        // each row by a member that did not learn from it; the mixture itself has learned from all of them, and is
        // likelier on others
        valid: figures.reduce((sum, { foldLogLikelihood }) => sum + foldLogLikelihood, 0) / members.count,
        test: splits.test === null ? null : figures.at(-1)!.togetherLogLikelihood,
      },
    }),
  );
  const test = splits.test === null ? null : variableNats(model, splits.test);
  const views = viewsOf(run);
  const meanOverMembers = (index: number, split: 'train' | 'valid'): number =>
    trained.reduce(
      (sum, variables, member) => sum + variables[index]![split] / views[member]!.datasets[split].rows,
      0,
    ) /
      members.count +
    pooled[index]!;
  const variables = run.table.variables.map(({ name }, index) => ({
    name,
    train: meanOverMembers(index, 'train'),
    valid: meanOverMembers(index, 'valid'),
    test: test?.[index] ?? null,
    ...(trained[0]![index]!.leaves !== undefined && { leaves: trained.map((own) => own[index]!.leaves!) }),
    ...lineFigures(
      run.table,
      models.map((member) => member.lineOf(index)),
    ),
  }));
  return { model, variables, members: figures, judged: splits.test === null ? 'validation' : 'test' };
}

/**
 * What densities add, mean nats per row of training and validation rows together: members deal them anew, and all of
 * them count alike.
 */
function pooledDensities(
  { datasets: { train, valid } }: TablesRun,
  ofTrain: Float64Array,
  ofValid: Float64Array,
): Float64Array {
  const rows = train.rows + valid.rows;
  return ofTrain.map((nats, index) => (nats * train.rows + ofValid[index]! * valid.rows) / rows);
}
