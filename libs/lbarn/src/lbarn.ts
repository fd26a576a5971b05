import {
  runSpecificationSchema,
  runWordsSchema,
  selectionDocumentSchema,
  selectionMethods,
  type RunWords,
  type SelectionDocument,
} from '@orchard/contracts';
import { networkCodec } from '@orchard/model';
import {
  builtModule,
  damagedBelow,
  isMissing,
  parseDocument,
  PipelineError,
  type Family,
  type Run,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { choiceName, folders, lbarnNames } from './artefacts.js';
import { reportOf } from './assemble-with-report.js';
import { choiceFrom, choiceSchema } from './choices.js';
import { computations } from './computations.js';
import { decodeConditional } from './conditional-codec.js';
import { handlers } from './handlers.js';
import { lbarnRun } from './lbarn-run.js';
import { planRun } from './plan.js';
import { resolveRun } from './resolve-run.js';
import { readCurves, readSelections } from './select-rounds.js';

/** Autoregressive networks of LogitBoost ensembles (Goessling 2016): one conditional a dimension, then one network of all. */
export const lbarn: Family = {
  name: 'lbarn',
  description: 'autoregressive network of boosted trees (LBARN)',
  kinds: [
    {
      kind: 'train',
      pool: 'worker',
      state: 'training',
      folder: folders.train,
      isCounted: true,
      // a fair coin
      untoldNats: ({ datasets }) => -Math.LN2 * datasets.valid.rows,
    },
    { kind: 'select', pool: 'selector', state: 'selecting', folder: folders.select, isCounted: false },
    { kind: 'refit', pool: 'worker', state: 'refitting', folder: folders.refit, isCounted: true },
    { kind: 'assemble', pool: 'selector', state: 'assembling', folder: folders.assemble, isCounted: false },
  ],
  words: runWordsSchema,
  specification: runSpecificationSchema,
  wanted: choiceSchema,
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers,
  resolve: (words, datasets) => {
    const { runId, specification, choice } = resolveRun(words as RunWords, datasets);
    return { runId, specification, choice: { ...choice } };
  },
  wantedName: (wanted) => choiceName(choiceFrom(wanted)),
  missing: (store, run, wanted, options) => planRun(store, lbarnRun(run), wanted.map(choiceFrom), options),
  codec: networkCodec,
  damaged: async (store, { id }) => [
    ...(await damagedBelow(store, lbarnNames.conditionals(id), (bytes, name) => decodeConditional(bytes, name))),
    ...(await damagedBelow(store, lbarnNames.selections(id), (bytes, name) =>
      parseDocument(bytes, name, selectionDocumentSchema),
    )),
    ...(await damagedBelow(store, lbarnNames.refits(id), (bytes, name) => decodeConditional(bytes, name))),
  ],
  report: (store, run, wanted) => reportOf(store, lbarnRun(run), choiceFrom(wanted)),
  results: {
    none: { selections: null },
    of: async (store, run) => ({ selections: await selectedFigures(store, run) }),
  },
  readNats: async (store, run, _kind, except, most = Infinity) => {
    const own = lbarnRun(run);
    const wanted = [...own.ordering].filter((dimension) => !except.has(String(dimension)));
    const curves = await readCurves(store, own, wanted.slice(0, most));
    return new Map(curves.map(({ dimension, valid }) => [String(dimension), best(valid!)]));
  },
};

function best(curve: Float64Array): number {
  return curve.reduce((most, point) => Math.max(most, point), -Infinity);
}

/** Selections never change while a run lives, and whoever watches it asks every second. */
const known = new WeakMap<Run, Readonly<Record<string, unknown>>>();

/** What each selection chose, mean nats a row, without what grows with the dimensions; null where the run is not selected. */
async function selectedFigures(store: ObjectStore, run: Run): Promise<Readonly<Record<string, unknown>> | null> {
  const kept = known.get(run);
  if (kept !== undefined) return kept;
  try {
    const selections = await readSelections(store, lbarnRun(run));
    const figures = Object.fromEntries(selectionMethods.map((method) => [method, figuresOf(run, selections[method])]));
    known.set(run, figures);
    return figures;
  } catch (error) {
    // a damaged one is told by the task that needs it: a run's status can be read all the same
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
