import { AUTO, quickSettings, resolveOptions, tuningDefaults, type RunWords, type Task } from '@orchard/contracts';
import {
  artefactNames,
  builtModule,
  damagedBelow,
  familyOfOneModel,
  parseDocument,
  randomOrdering,
  roomHere,
  type Run,
} from '@orchard/pipeline';
import { folders, keyOf, placeOf, tablesNames } from './artefacts.js';
import { computations } from './computations.js';
import { variableWork } from './decision-work.js';
import { viewOf, viewsOf } from './members/member-run.js';
import { resolveMembers } from './members/table-members.js';
import { chosenByValidation } from './report.js';
import { withTablePreset } from './presets.js';
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
import { bytesBeside, trainingDataOf } from './training-data.js';
import { decodeVariable } from './variable-codec.js';
import { readCurves, variableCurvesSchema } from './variable-curves.js';

/**
 * Tables: categories, numbers, dates and missing values, each variable decided by a tree of boosted conditionals
 * (README).
 */
export const tables = familyOfOneModel({
  name: tablesFamily,
  description: 'boosted trees for tables of categories, numbers, dates and missing values',
  learns: ['table'],
  chosenByValidation,
  kinds: [
    {
      kind: 'train',
      pool: 'worker',
      state: 'training',
      folder: folders.train,
      counted: 'variables',
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
    train: (context, run, task) => {
      const { view, index } = ofTask(run, task);
      return trainTask(context, view, index);
    },
  },
  specify: (said, datasets) => {
    const table = requireTable(datasets.train.table);
    const words = withTablePreset(said as TablesWords, datasets.train.rows + datasets.valid.rows);
    const seed = words.seed ?? 0;
    const ordering =
      words.ordering === 'random' ? randomOrdering(table.variables.length, seed) : (words.ordering ?? 'natural');
    orderingOf(ordering, table);
    const members = resolveMembers(words, datasets);
    const options = resolveOptions(words as RunWords);
    const tried = tuningDefaults.brief.leaves;
    const isSampled = (words.rowsPerTree ?? Infinity) < datasets.train.rows + datasets.valid.rows;
    return {
      ...options,
      ...(options.leaves === AUTO && { tuning: { leaves: [...tried], ...quickSettings(options) } }),
      ordering:
        ordering !== 'natural' && ordering.every((index, position) => index === position) ? 'natural' : ordering,
      seed,
      ...(isSampled && { rowsPerTree: words.rowsPerTree }),
      ...(members !== null && { members }),
      revision: 2,
    };
  },
  before: ({ run, stored, isComplete }) => {
    const all = viewsOf(tablesRun(run)).flatMap((view) =>
      view.table.variables.map((_, index) => ({ key: keyOf(view, index), cost: costOf(view, index) })),
    );
    const missing = isComplete ? [] : all.filter(({ key }) => !stored.has(tablesNames.variable(run.id, key)));
    const checkpoints = artefactNames.checkpoints(run.id);
    const begun = new Set(
      [...stored]
        .filter((name) => name.startsWith(checkpoints))
        .map((name) => name.slice(checkpoints.length, name.lastIndexOf('/'))),
    );
    const tasks = missing
      .map(({ key, cost }) => ({ kind: 'train', key, cost, isNew: !begun.has(key) }))
      .sort((a, b) => b.cost - a.cost);
    return { tasks, stages: { train: { total: all.length, done: all.length - missing.length } } };
  },
  codec: tablesCodec,
  damaged: async (store, run) => {
    const own = tablesRun(run);
    const folder = tablesNames.variables(run.id);
    const variables = await damagedBelow(store, folder, (bytes, name) => {
      const { index, member } = placeOf(name.slice(folder.length));
      return decodeVariable(bytes, name, predictorsOf(viewOf(own, member), index));
    });
    const curves = await damagedBelow(store, tablesNames.allCurves(run.id), (bytes, name) =>
      parseDocument(bytes, name, variableCurvesSchema),
    );
    // they are made with their variable alone
    const theirs = curves.map((name) =>
      tablesNames.variable(run.id, name.slice(tablesNames.allCurves(run.id).length + 1)),
    );
    return [...new Set([...variables, ...theirs]), ...curves];
  },
  needs: {
    memory: (run, threads) => {
      const view = viewOf(tablesRun(run), 0);
      const fit = trainingDataOf(view).fit(threads, roomHere());
      return { ...fit, beside: bytesBeside(view, fit.threads) };
    },
    seconds: async (run, sample, milliseconds) => {
      const { expectedSeconds } = await import('./expected-seconds.js');
      return expectedSeconds(tablesRun(run), sample, milliseconds);
    },
  },
  readNats,
  curvesOf: async (store, run, task) => {
    if (task.kind !== 'train') return null;
    const { view, index } = ofTask(run, task);
    return readCurves(store, view, index);
  },
  report: async (store, run, _, named) => {
    const own = tablesRun(run);
    const { modelOf } = await import('./assemble.js');
    const { reportOnTable } = await import('./report.js');
    const { model, variables } = await modelOf(store, own);
    return reportOnTable(store, own, model, variables, named);
  },
});

/** The variable that a task is about, and the run as its member has it. */
function ofTask(run: Run, { key }: Task): { readonly view: TablesRun; readonly index: number } {
  const { index, member } = placeOf(key);
  return { view: viewOf(tablesRun(run), member), index };
}

function costOf(run: TablesRun, index: number): number {
  const { train, valid } = run.datasets;
  return variableWork(
    run.table.variables[index]!,
    train.rows + valid.rows,
    predictorsOf(run, index),
    run.specification.rowsPerTree,
  );
}
