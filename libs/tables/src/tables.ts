import { dimensionOfTask, resolveOptions, type PlainWords } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { artefactNames, builtModule, damagedBelow, familyOfOneModel, numberIn, parseDocument } from '@orchard/pipeline';
import { folders, tablesNames } from './artefacts.js';
import { computations } from './computations.js';
import { chosenByValidation } from './report.js';
import { readNats, risingLikelihood } from './rising-likelihood.js';
import { tablesCodec } from './table-codec.js';
import { tablesFamily } from './table-model.js';
import {
  orderingOf,
  requireTable,
  tablesRun,
  tablesSpecificationSchema,
  tablesWordsSchema,
  type TablesRun,
  type TablesWords,
} from './tables-run.js';
import { predictorsOf, trainTask } from './train-task.js';
import { decodeVariable } from './variable-codec.js';
import { readCurves, variableCurvesSchema } from './variable-curves.js';

/** Tables: categories, numbers, dates and holes, each variable decided by a tree of boosted conditionals (README). */
export const tables = familyOfOneModel({
  name: tablesFamily,
  description: 'table of categories, numbers, dates and holes, each variable decided by boosted trees',
  learns: ['table'],
  chosenByValidation,
  kinds: [
    {
      ...{ kind: 'train', pool: 'worker', state: 'training', folder: folders.train, counted: 'variables' },
      rising: risingLikelihood,
    },
    { kind: 'assemble', pool: 'selector', state: 'assembling', folder: folders.assemble, counted: null },
  ],
  words: tablesWordsSchema,
  specification: tablesSpecificationSchema,
  computations: {
    module: builtModule('computations', import.meta.url),
    functions: computations,
  },
  handlers: {
    train: (context, run, task) => trainTask(context, tablesRun(run), dimensionOfTask(task)!),
  },
  specify: (said, { train }) => {
    const table = requireTable(train.table);
    const words = said as TablesWords;
    const seed = words.seed ?? 0;
    const ordering =
      words.ordering === 'random' ? randomOrdering(table.variables.length, seed) : (words.ordering ?? 'natural');
    orderingOf(ordering, table);
    return {
      ...resolveOptions(words as PlainWords),
      ordering:
        ordering !== 'natural' && ordering.every((index, position) => index === position) ? 'natural' : ordering,
      seed,
    };
  },
  before: ({ run, stored, isComplete }) => {
    const own = tablesRun(run);
    const all = own.table.variables.map((_, index) => index);
    const missing = isComplete ? [] : all.filter((index) => !stored.has(tablesNames.variable(run.id, index)));
    const begun = new Set(
      [...stored].map((name) => numberIn(name.slice(0, name.lastIndexOf('/')), artefactNames.checkpoints(run.id))),
    );
    const tasks = missing
      .map((index) => ({ kind: 'train', key: String(index), cost: costOf(own, index), isNew: !begun.has(index) }))
      .sort((a, b) => b.cost - a.cost);
    return { tasks, stages: { train: { total: all.length, done: all.length - missing.length } } };
  },
  codec: tablesCodec,
  damaged: async (store, run) => {
    const own = tablesRun(run);
    const folder = tablesNames.variables(run.id);
    const variables = await damagedBelow(store, folder, (bytes, name) =>
      decodeVariable(bytes, name, predictorsOf(own, numberIn(name, folder) ?? 0)),
    );
    const curves = await damagedBelow(store, tablesNames.allCurves(run.id), (bytes, name) =>
      parseDocument(bytes, name, variableCurvesSchema),
    );
    // they are made with their variable alone
    const theirs = curves.map((name) =>
      tablesNames.variable(run.id, numberIn(name, `${tablesNames.allCurves(run.id)}v`)!),
    );
    return [...new Set([...variables, ...theirs]), ...curves];
  },
  readNats,
  curvesOf: async (store, run, task) =>
    task.kind === 'train' ? readCurves(store, tablesRun(run), dimensionOfTask(task)!) : null,
  report: async (store, run) => {
    const own = tablesRun(run);
    const { modelOf } = await import('./assemble.js');
    const { reportOnTable } = await import('./report.js');
    const { model, variables } = await modelOf(store, own);
    return reportOnTable(store, own, model, variables);
  },
});

/** Rounds are dearer the more predictors there are, and a variable has as many levels of decisions as its codes take bits. */
function costOf(run: TablesRun, index: number): number {
  return (predictorsOf(run, index) + 8) * Math.log2(1 + codeCount(run.table.variables[index]!));
}

/** Fisher-Yates from the last position down: all permutations are equally likely. */
function randomOrdering(length: number, seed: number): number[] {
  const stream = new RandomStream(seed, Purpose.ordering);
  const ordering = Array.from({ length }, (_, index) => index);
  for (let position = length - 1; position > 0; position--) {
    const other = stream.below(position + 1);
    [ordering[position], ordering[other]] = [ordering[other]!, ordering[position]!];
  }
  return ordering;
}
