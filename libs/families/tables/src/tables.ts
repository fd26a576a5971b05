import { AUTO, quickSettings, resolveOptions, tuningDefaults, type RunWords, type Task } from '@orchard/contracts';
import { totalsBeforeParts } from '@orchard/dataset';
import {
  artefactNames,
  builtModule,
  damagedBelow,
  familyOfOneModel,
  orderingDocumentSchema,
  orderingNames,
  parseDocument,
  plainOrdering,
  roomHere,
  type Run,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { folders, keyOf, placeOf, tablesNames } from './artefacts.js';
import { computations } from './computations.js';
import { variableWork } from './decision-work.js';
import { viewOf, viewsOf } from './members/member-run.js';
import { kindsToFind, orderedRun } from './members/ordered-run.js';
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
    // of orderings that look at rows
    { kind: 'order', pool: 'worker', state: 'ordering', folder: folders.order, counted: null },
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
  whyWithout: { committee: 'no committee, since the mean of several lines is not one line; --members mixes models' },
  specification: tablesSpecificationSchema,
  computations: {
    module: builtModule('computations', import.meta.url),
    functions: computations,
  },
  handlers: {
    order: async ({ compute, signal }, run, { key }) => {
      await compute.call('order', { run, kind: key }, { signal });
      return { stored: 'created' };
    },
    train: async (context, run, task) => {
      const { view, index } = ofTask(await orderedRun(context.store, run), task);
      return trainTask(context, view, index);
    },
  },
  specify: (asked, datasets) => {
    const table = requireTable(datasets.train.table);
    const rows = datasets.train.rows + datasets.valid.rows;
    const words = withTablePreset(asked as TablesWords, rows);
    const seed = words.seed ?? 0;
    const { ordering: said = 'natural' } = words;
    const isDrawn = said === 'random' || said === 'reversed';
    const ordering = isDrawn ? totalsBeforeParts(table, plainOrdering(said, table.variables.length, seed)) : said;
    orderingOf(ordering, table, new Map());
    const members = resolveMembers(words, rows, table.variables.length);
    const options = resolveOptions(words as RunWords);
    const tried = tuningDefaults.brief.leaves;
    const isSampled = (words.rowsPerTree ?? Infinity) < rows;
    return {
      ...options,
      ...(options.leaves === AUTO && { tuning: { leaves: [...tried], ...quickSettings(options) } }),
      ordering:
        typeof ordering !== 'string' && ordering.every((index, position) => index === position) ? 'natural' : ordering,
      seed,
      ...(isSampled && { rowsPerTree: words.rowsPerTree }),
      ...(words.select !== undefined && { select: words.select }),
      ...(members !== null && { members }),
      revision: 4,
    };
  },
  before: async ({ run, store, stored, isComplete }) => {
    const kinds = kindsToFind(tablesRun(run));
    const unfound = isComplete ? [] : kinds.filter((kind) => !stored.has(orderingNames.of(run.id, kind)));
    const isOrdered = !isComplete && unfound.length === 0;
    const all = viewsOf(isOrdered ? await orderedRun(store, run) : tablesRun(run)).flatMap((view) =>
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
    return {
      tasks: isOrdered ? tasks : unfound.map((kind) => ({ kind: 'order', key: kind })),
      stages: {
        ...(kinds.length > 0 && { order: { total: kinds.length, done: kinds.length - unfound.length } }),
        train: { total: all.length, done: all.length - missing.length },
      },
    };
  },
  codec: tablesCodec,
  damaged: async (store, run) => {
    const orderings = await damagedBelow(store, orderingNames.all(run.id), (bytes, name) =>
      parseDocument(bytes, name, orderingDocumentSchema),
    );
    // without its orderings nothing is known of a run's variables: those are looked at when they are found again
    if (orderings.length > 0 || !(await areOrderingsFound(store, run))) return orderings;
    const own = await orderedRun(store, run);
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
    const { view, index } = ofTask(tablesRun(run), task);
    return readCurves(store, view, index);
  },
  report: async (store, run, _, named) => {
    const own = await orderedRun(store, run);
    const { heldModel, modelOf } = await import('./assemble.js');
    const { reportOnTable } = await import('./report.js');
    const { model, variables } = named?.held === undefined ? await modelOf(store, own) : heldModel(named.held);
    return reportOnTable(store, own, model, variables, named);
  },
});

/** The variable that a task is about, and the run as its member has it. */
function ofTask(run: TablesRun, { key }: Task): { readonly view: TablesRun; readonly index: number } {
  const { index, member } = placeOf(key);
  return { view: viewOf(run, member), index };
}

async function areOrderingsFound(store: ObjectStore, run: Run): Promise<boolean> {
  for (const kind of kindsToFind(tablesRun(run)))
    if ((await store.head(orderingNames.of(run.id, kind))) === null) return false;
  return true;
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
