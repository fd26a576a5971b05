import { runIdOf } from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import {
  artefactNames,
  builtModule,
  checkSplits,
  damagedBelow,
  loadSplits,
  parseDocument,
  PipelineError,
  requireSameNumerics,
  writeDocument,
  type DataRequest,
  type Family,
  type Run,
} from '@orchard/pipeline';
import { listAll } from '@orchard/storage';
import { z } from 'zod';
import { chooseMixture } from './choose-mixture.js';
import { computations, reportOf } from './computations.js';
import {
  mixedNames,
  mixedStepIn,
  partDocumentSchema,
  partsFolder,
  readStep,
  sharesDocumentSchema,
  sharesFolder,
  stepDocumentSchema,
  stepsFolder,
  type MixedStep,
  type PartDocument,
} from './mixed-documents.js';
import type { StepEnd } from './mixed-steps.js';
import { missingOfMixture } from './missing-of-mixture.js';
import { pathDocumentSchema, pathNames, pathsFolder, type PathDocument } from './path-document.js';
import { sparnCodec } from './sparn-model.js';
import {
  mixtureOptions,
  sparnFamily,
  sparnSpecificationSchema,
  sparnWordsSchema,
  wholeWords,
  type SparnSpecification,
} from './sparn-run.js';

const wanted = 'model';

/**
 * Sparse autoregressive networks (thesis 5.2.3): one task a column for all λ, then one that chooses λ for all columns. Mixtures of them (5.3): of each K a
 * task that shares the rows out, then of each step of EM one task a column, and one that shares the rows out anew.
 */
export const sparn: Family = {
  name: sparnFamily,
  description: 'sparse autoregressive network: each column by an L1-penalised logistic regression on those before it',
  kinds: [
    { kind: 'path', pool: 'worker', state: 'training', folder: pathsFolder, counted: 'dimensions' },
    { kind: 'share', pool: 'worker', state: 'sharing', folder: sharesFolder, counted: null },
    { kind: 'part', pool: 'worker', state: 'training', folder: partsFolder, counted: 'columns of components' },
    { kind: 'choose', pool: 'selector', state: 'choosing', folder: 'networks', counted: null },
  ],
  words: sparnWordsSchema,
  specification: sparnSpecificationSchema,
  wanted: z.strictObject({}),
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    path: async ({ store, compute, isNew, signal }, run, { key }) => {
      requireSameNumerics(run);
      const column = Number(key);
      const name = pathNames.path(run.id, column);
      if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
      const what = `the path of column ${String(column + 1)}`;
      const path = await compute.withData(rowsOf(run), (call) =>
        call<PathDocument | null>('path', { run, column }, { signal, what }),
      );
      if (path === null) throw interruptedIn(what);
      return { stored: await writeDocument(store, name, path) };
    },
    share: async ({ store, compute, isNew, signal }, run, { key }) => {
      requireSameNumerics(run);
      const { components, step } = mixedStepIn(key);
      const of: MixedStep = { components, step };
      const name = mixedNames.shares(run.id, of);
      if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
      const what = `how rows are shared out among ${String(components)} components after step ${String(step)}`;
      const end = await compute.withData(rowsOf(run), (call) =>
        call<StepEnd | null>('share', { run, of }, { signal, what }),
      );
      if (end === null) throw interruptedIn(what);
      // shares are what says that the step has ended
      await writeDocument(store, mixedNames.step(run.id, of), end.step);
      return { stored: await writeDocument(store, name, end.shares) };
    },
    part: async ({ store, compute, isNew, signal }, run, { key }) => {
      requireSameNumerics(run);
      const { components, step, column } = mixedStepIn(key);
      const of: MixedStep = { components, step };
      const name = mixedNames.part(run.id, of, column);
      if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
      const what = `column ${String(column + 1)} of ${String(components)} components, step ${String(step)}`;
      const part = await compute.withData(rowsOf(run), (call) =>
        call<PartDocument | null>('part', { run, of, column }, { signal, what }),
      );
      if (part === null) throw interruptedIn(what);
      return { stored: await writeDocument(store, name, part) };
    },
    choose: async ({ compute, signal, withReport }, run) => {
      requireSameNumerics(run);
      await compute.call('choose', { run, withReport }, { signal });
      return { stored: 'created' };
    },
  },
  resolve: (said, datasets) => {
    checkSplits(datasets);
    const { train, valid, test } = datasets;
    const specification: SparnSpecification = {
      family: sparnFamily,
      train: train.id,
      valid: valid.id,
      test: test?.id ?? null,
      ...wholeWords(sparnWordsSchema.parse(said)),
      numericsVersion: NUMERICS_VERSION,
    };
    return { runId: runIdOf(specification), specification, choice: {} };
  },
  wantedName: () => wanted,
  missing: async (store, run, [choice = {}], { withReport }) => {
    const { dimensions } = run.datasets.train;
    const stored = new Set<string>();
    for await (const { name } of listAll(store, artefactNames.run(run.id))) stored.add(name);
    const names = [artefactNames.network(run.id, wanted), artefactNames.summary(run.id, wanted)];
    if (withReport) names.push(artefactNames.report(run.id, wanted));
    const isComplete = names.every((name) => stored.has(name));
    const { components } = mixtureOptions(run);
    const columns = Array.from({ length: dimensions }, (_, at) => dimensions - 1 - at);
    const isSingle = components[0] === 1;
    const open = isComplete || !isSingle ? [] : columns.filter((column) => !stored.has(pathNames.path(run.id, column)));
    // those of most predictors first
    const paths = open.map((column) => ({
      task: { run: run.id, kind: 'path', key: String(column) },
      cost: column + 1,
      detail: {},
      isNew: true,
    }));
    const mixed = await missingOfMixture(stored, run, isComplete, (of) => readStep(store, run.id, of));
    const last = { task: { run: run.id, kind: 'choose', key: wanted }, cost: 1, detail: {}, isNew: false };
    const missing = [...mixed.tasks, ...paths];
    return {
      tasks: isComplete ? [] : missing.length > 0 ? missing : [last],
      complete: isComplete ? [choice] : [],
      stages: {
        path: isSingle ? { total: dimensions, done: dimensions - open.length } : null,
        ...mixed.stages,
        choose: { total: 1, done: isComplete ? 1 : 0 },
      },
    };
  },
  codec: sparnCodec,
  damaged: async (store, run) => {
    const found = [
      damagedBelow(store, pathNames.paths(run.id), (bytes, name) => parseDocument(bytes, name, pathDocumentSchema)),
      ...(
        [
          [sharesFolder, sharesDocumentSchema],
          [stepsFolder, stepDocumentSchema],
          [partsFolder, partDocumentSchema],
        ] as const
      ).map(([folder, schema]) =>
        damagedBelow(store, mixedNames.folder(run.id, folder), (bytes, name) => parseDocument(bytes, name, schema)),
      ),
    ];
    return (await Promise.all(found)).flat();
  },
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    return reportOf(run, splits, await chooseMixture(store, run, splits));
  },
};

/** The rows that conditionals learn from and are judged by, once for all threads. */
function rowsOf(run: Run): DataRequest {
  const { train, valid } = run.specification;
  const { datasets } = run;
  const { dimensions } = datasets.train;
  const rows = datasets.train.rows + datasets.valid.rows;
  const bytes = rows * (8 * Math.ceil(dimensions / 64) + 4) + 131_072;
  // of a thread: the groups of each predictor's rarer value, half of all at most, and seven numbers a row
  const most = mixtureOptions(run).components.at(-1)!;
  // of a mixture: the predictors of every row as bytes, lists for each component, and up to three components a row
  const mixed = most === 1 ? 0 : rows * 5 * dimensions + most * dimensions * 64;
  const own = rows * (2 * dimensions + 56) + mixed;
  return {
    key: `sorted bits ${train} ${valid}`,
    fit: (threads, room) => {
      const fitting = Math.max(1, Math.min(threads, Math.floor((room - bytes) / own)));
      return { threads: fitting, bytes: bytes + fitting * own };
    },
    arrange: () => ({ name: 'load', input: { train, valid } }),
  };
}

function interruptedIn(what: string): PipelineError {
  return new PipelineError('interrupted', {
    got: 'a request to stop between two penalties',
    expected: 'time to finish',
    where: what,
    remedy: 'Run again: what is stored stays, and this column begins again.',
  });
}
