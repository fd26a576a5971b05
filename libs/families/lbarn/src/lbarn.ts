import {
  dimensionOfTask,
  runSpecificationSchema,
  networkWordsSchema,
  selectionDocumentSchema,
  paperSelections,
  type NetworkChoice,
  type RunWords,
  type SelectionDocument,
} from '@orchard/contracts';
import { networkCodec } from '@orchard/model';
import {
  builtModule,
  damagedBelow,
  isMissing,
  orderingDocumentSchema,
  orderingNames,
  parseDocument,
  PipelineError,
  shownRounds,
  storedNames,
  type Family,
  type Plan,
  type PlanOptions,
  type Run,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { choiceName, folders, lbarnNames } from './artefacts/artefacts.js';
import { reportOf } from './artefacts/assemble-with-report.js';
import { checkChoice, choiceFrom, choiceSchema } from './run/choices.js';
import { computations } from './computations.js';
import { decodeConditional } from './artefacts/conditional-codec.js';
import { handlers } from './handlers.js';
import { askedRun } from './run/lbarn-run.js';
import { runOfTask } from './members/member-run.js';
import { reportOfMembers } from './members/mix-with-report.js';
import { heldOutOf } from './run/judge-run.js';
import { planMembers } from './members/plan-members.js';
import { planRun } from './run/plan.js';
import { resolveRun } from './run/resolve-run.js';
import { readNats, risingLikelihood } from './run/rising-likelihood.js';
import { readCurves, readSelections } from './selection/select-rounds.js';
import { planTuning, stagesAhead } from './tuning/plan-tuning.js';
import { raisedSchema } from './tuning/search-in-full.js';
import { trialDocumentSchema } from './tuning/screen.js';
import { settledRun, settledSchemas } from './tuning/settled-run.js';

/**
 * Autoregressive networks of LogitBoost ensembles (Goessling 2016): one conditional a dimension, then one network of
 * all.
 */
export const lbarn: Family = {
  name: 'lbarn',
  description: 'boosted trees for rows of 0 and 1: autoregressive network (LBARN)',
  kinds: [
    // of members, and of runs that try orderings
    { kind: 'order', pool: 'worker', state: 'ordering', folder: folders.order, counted: null },
    // of runs that find settings for themselves
    { kind: 'screen', pool: 'worker', state: 'screening', folder: folders.screen, counted: 'trials' },
    { kind: 'settle', pool: 'selector', state: 'screening', folder: folders.screen, counted: null },
    {
      kind: 'train',
      pool: 'worker',
      state: 'training',
      folder: folders.train,
      counted: 'dimensions',
      rising: risingLikelihood,
    },
    { kind: 'select', pool: 'selector', state: 'selecting', folder: folders.select, counted: null },
    {
      kind: 'refit',
      pool: 'worker',
      state: 'refitting',
      folder: folders.refit,
      counted: 'dimensions',
      isRefit: true,
    },
    {
      kind: 'retrain',
      pool: 'worker',
      state: 'retraining',
      folder: folders.retrain,
      counted: 'dimensions',
      isRefit: true,
    },
    { kind: 'assemble', pool: 'selector', state: 'assembling', folder: folders.assemble, counted: null },
    { kind: 'mix', pool: 'selector', state: 'mixing', folder: folders.assemble, counted: null },
  ],
  words: networkWordsSchema,
  specification: runSpecificationSchema,
  wanted: choiceSchema,
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers,
  resolve: (words, datasets) => {
    const { runId, specification, choice } = resolveRun(words as RunWords, datasets);
    return { runId, specification, choice: { ...choice } };
  },
  wantedName: (wanted) => choiceName(choiceFrom(wanted)),
  checkWanted: checkChoice,
  missing: (store, run, wanted, options) => planAll(store, run, wanted.map(choiceFrom), options),
  codec: networkCodec,
  damaged: async (store, { id }) => [
    ...(await damagedBelow(store, lbarnNames.screenings(id), (bytes, name) =>
      parseDocument(bytes, name, screeningSchema),
    )),
    ...(await damagedBelow(store, orderingNames.all(id), (bytes, name) =>
      parseDocument(bytes, name, orderingDocumentSchema),
    )),
    ...(await damagedBelow(store, lbarnNames.conditionals(id), (bytes, name) => decodeConditional(bytes, name))),
    ...(await damagedBelow(store, lbarnNames.selections(id), (bytes, name) =>
      parseDocument(bytes, name, selectionDocumentSchema),
    )),
    ...(await damagedBelow(store, lbarnNames.refits(id), (bytes, name) => decodeConditional(bytes, name))),
    ...(await damagedBelow(store, lbarnNames.allRetrained(id), (bytes, name) => decodeConditional(bytes, name))),
  ],
  report: async (store, run, wanted, options) =>
    (hasMembers(run.specification) ? reportOfMembers : reportOf)(
      store,
      await settledRun(store, run),
      choiceFrom(wanted),
      options,
    ),
  heldOut: async (store, run, wanted, model) =>
    heldOutOf(store, await settledRun(store, run), choiceFrom(wanted), model),
  results: {
    none: { selections: null },
    // each network of a member has selections of its own: what the mixture is worth is in its summary
    of: async (store, run) => ({
      selections: hasMembers(run.specification) ? null : await selectedFigures(store, run),
    }),
  },
  readNats,
  curvesOf: async (store, run, task) => {
    if (task.kind !== 'train') return null;
    // one network of many has rows of its own
    const own = await runOfTask(store, await settledRun(store, run), task);
    const [curves] = await readCurves(store, own, [dimensionOfTask(task)!]);
    const { train, valid, test } = curves!;
    const rounds = [...shownRounds(train.length)];
    const of = (curve: Float64Array | null, rows: number): number[] | null =>
      curve === null ? null : rounds.map((round) => curve[round]! / rows);
    const { datasets } = own;
    return {
      rounds,
      train: of(train, datasets.train.rows)!,
      valid: of(valid, datasets.valid.rows),
      test: of(test, datasets.test?.rows ?? 1),
    };
  },
};

/** Trials, and what they say. */
const screeningSchema = z.union([trialDocumentSchema, raisedSchema, ...Object.values(settledSchemas)]);

/** Settings first, where they are to be found; then what they are for. */
async function planAll(
  store: ObjectStore,
  run: Run,
  choices: readonly NetworkChoice[],
  options: PlanOptions,
): Promise<Plan> {
  const asked = askedRun(run);
  const stored = await storedNames(store, run);
  const tuning = await planTuning(store, asked, stored);
  if (tuning.tasks.length > 0) {
    return { tasks: tuning.tasks, complete: [], stages: { ...tuning.stages, ...stagesAhead(asked, choices) } };
  }
  const plan = hasMembers(run.specification) ? planMembers : planRun;
  const { stages, ...rest } = await plan(store, await settledRun(store, run), choices, options, stored);
  return { ...rest, stages: { ...stages, ...tuning.stages } };
}

function hasMembers({ members }: Run['specification']): boolean {
  return members !== undefined;
}

/** Selections never change while a run lives, and a page that watches it asks every second. */
const chosenFigures = new WeakMap<Run, Readonly<Record<string, unknown>>>();

/**
 * What each selection chose, mean nats per row, without what grows with the dimensions; null where the run is not
 * selected.
 */
async function selectedFigures(store: ObjectStore, run: Run): Promise<Readonly<Record<string, unknown>> | null> {
  const kept = chosenFigures.get(run);
  if (kept !== undefined) return kept;
  try {
    const selections = await readSelections(store, await settledRun(store, run));
    const figures = Object.fromEntries(paperSelections.map((method) => [method, figuresOf(run, selections[method])]));
    chosenFigures.set(run, figures);
    return figures;
  } catch (error) {
    // a damaged one is reported by the task that needs it: a run's status can be read all the same
    if (isMissing(error) || (error instanceof PipelineError && error.code === 'damaged-artefact')) return null;
    throw error;
  }
}

function figuresOf({ datasets }: Run, selection: SelectionDocument): Readonly<Record<string, unknown>> {
  const { trees, trainLogLikelihood, validLogLikelihood, testLogLikelihood, commonRounds } = selection;
  const { train, valid, test } = datasets;
  return {
    trees,
    trainLogLikelihood: trainLogLikelihood / train.rows,
    validLogLikelihood: validLogLikelihood / valid.rows,
    testLogLikelihood: testLogLikelihood === null || test === null ? null : testLogLikelihood / test.rows,
    commonRounds,
  };
}
