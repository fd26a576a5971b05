import {
  builtModule,
  damagedBelow,
  familyOfOneModel,
  makeArtefact,
  parseDocument,
  reportOfEnding,
  threadsBeside,
  writeDocument,
  type DataRequest,
  type MadeArtefact,
  type Run,
  type TaskContext,
  type TaskOutcome,
} from '@orchard/pipeline';
import { rowKinds } from '@orchard/contracts';
import { columnsIn } from '@orchard/dataset';
import { networkCodec } from '@orchard/model';
import { z } from 'zod';
import {
  choosingColumns,
  missingOfMixture,
  mixedNames,
  type MixedStep,
  mixedStepIn,
  mixtureOptions,
  type PartDocument,
  partDocumentSchema,
  partsFolder,
  readStep,
  refitsFolder,
  sharesDocumentSchema,
  sharesFolder,
  sparnFamily,
  sparnSpecification,
  sparnSpecificationSchema,
  stepDocumentSchema,
  type StepEnd,
  stepsFolder,
} from '@orchard/sparn-mixture';
import { sequenceCodec, sparnCodec } from '@orchard/sparse-network';
import { computations, end } from './computations.js';
import { gridSpecificationSchema, isGrid, wholeGridWords } from './grid-run.js';
import { type PathDocument, pathDocumentSchema } from './path-document.js';
import { type Decision, decisionSchema, missingOfRefit, refitNames, refitRun, stagesOfRefit } from './refit.js';
import { natsOfPath, natsOfStep, readNats, risingColumns, risingSteps } from './rising-likelihood.js';
import { sparnWordsSchema, wholeWords } from './sparn-run.js';
import { pathNames, pathsFolder } from './stored-paths.js';
import { codesOf, wholeTableWords } from './table-run.js';

/**
 * Sparse autoregressive networks (thesis 5.2.3): one task a column for all λ, then one that chooses λ for all columns.
 * Mixtures of them (5.3): of each K a task that shares the rows out, then of each step of EM one task a column, and one
 * that shares the rows out anew.
 */
export const sparn = familyOfOneModel({
  name: sparnFamily,
  description: 'sparse autoregressive network: an L1-penalised regression per column',
  learns: rowKinds,
  kinds: [
    {
      kind: 'path',
      pool: 'worker',
      state: 'training',
      folder: pathsFolder,
      counted: 'dimensions',
      rising: risingColumns,
    },
    {
      kind: 'share',
      pool: 'worker',
      state: 'sharing',
      folder: sharesFolder,
      counted: null,
      rising: risingSteps,
    },
    {
      kind: 'part',
      pool: 'worker',
      state: 'training',
      folder: partsFolder,
      counted: 'columns of components',
      // columns have a likelihood only together: it is known at the end of their step
      toldBy: 'share',
    },
    // where what was chosen is learned once more
    { kind: 'decide', pool: 'selector', state: 'choosing', folder: refitsFolder, counted: null },
    {
      kind: 'refit',
      pool: 'worker',
      state: 'refitting',
      folder: refitsFolder,
      counted: 'columns',
      isRefit: true,
    },
    { kind: 'choose', pool: 'selector', state: 'choosing', folder: 'networks', counted: null },
  ],
  words: sparnWordsSchema,
  specification: z.union([sparnSpecificationSchema, gridSpecificationSchema]),
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    path: (context, run, { key }) =>
      makePath(context, run, Number(key), {
        name: pathNames.path(run.id, Number(key)),
        data: run.datasets.train.table === undefined ? rowsOf(run) : codesOf(run),
        what: `the path of column ${String(Number(key) + 1)}`,
        natsOf: natsOfPath,
      }),
    share: (context, run, { key }) => makeShares(context, run, key, rowsOf(run)),
    part: (context, run, { key }) => makePart(context, run, key, rowsOf(run)),
    decide: async ({ store, compute, signal }, run) => {
      const decision = await compute.call<Decision>('decide', { run }, { signal });
      return { stored: await writeDocument(store, refitNames.decision(run.id), decision) };
    },
    refit: async (context, given, { key }) => {
      const run = await refitRun(context.store, given);
      const data = rowsOf(run, { isPooled: true });
      if (run.decision.components > 1)
        return (Number.isNaN(mixedStepIn(key).column) ? makeShares : makePart)(context, run, key, data);
      const name = refitNames.path(run.id, Number(key));
      return makePath(context, run, Number(key), {
        name,
        data,
        what: `the refit of column ${String(Number(key) + 1)}`,
      });
    },
  },
  specify: (words, { train }) => {
    const said = sparnWordsSchema.parse(words);
    if (train.table !== undefined) return wholeTableWords(said);
    return said.parents === undefined ? wholeWords(said, train) : wholeGridWords(said, train);
  },
  before: async ({ run, store, stored, isComplete }) => {
    if (isGrid(run)) return { tasks: [], stages: { path: null, share: null, part: null, decide: null, refit: null } };
    const dimensions = columnsIn(run.datasets.train).count;
    const { components } = mixtureOptions(run);
    const columns = choosingColumns(sparnSpecification(run), dimensions).toReversed();
    const isSingle = components[0] === 1;
    const open = isComplete || !isSingle ? [] : columns.filter((column) => !stored.has(pathNames.path(run.id, column)));
    // those of most predictors first
    const paths = open.map((column) => ({ kind: 'path', key: String(column), cost: column + 1 }));
    const mixed = await missingOfMixture(stored, run, isComplete, (of) => readStep(store, run.id, of));
    const tasks = [...mixed.tasks, ...paths];
    const stages = {
      path: isSingle ? { total: columns.length, done: columns.length - open.length } : null,
      ...mixed.stages,
    };
    if (sparnSpecification(run).refit !== true) return { tasks, stages: { ...stages, decide: null, refit: null } };
    const refit =
      isComplete || tasks.length > 0
        ? { tasks: [], stages: stagesOfRefit(run, isComplete ? 1 : 0) }
        : await missingOfRefit(stored, store, run);
    return { tasks: [...tasks, ...refit.tasks], stages: { ...stages, ...refit.stages } };
  },
  codec: sparnCodec,
  readNats,
  otherCodecs: [sequenceCodec, networkCodec],
  damaged: async (store, run) => {
    const found = [
      damagedBelow(store, pathNames.paths(run.id), (bytes, name) => parseDocument(bytes, name, pathDocumentSchema)),
      ...(
        [
          [sharesFolder, sharesDocumentSchema],
          [stepsFolder, stepDocumentSchema],
          [partsFolder, partDocumentSchema],
          [refitsFolder, z.union([decisionSchema, pathDocumentSchema, partDocumentSchema, sharesDocumentSchema])],
        ] as const
      ).map(([folder, schema]) =>
        damagedBelow(store, mixedNames.folder(run.id, folder), (bytes, name) => parseDocument(bytes, name, schema)),
      ),
    ];
    const damaged = (await Promise.all(found)).flat();
    // shares say that a step has ended: they are made again with what it came to
    const steps = mixedNames.folder(run.id, stepsFolder);
    const ofSteps = damaged
      .filter((name) => name.startsWith(steps))
      .map((name) => name.slice(steps.length))
      .map((key) => mixedNames.shares(run.id, mixedStepIn(key)));
    return [...new Set([...damaged, ...ofSteps])];
  },
  report: reportOfEnding(end),
});

function makePath(
  context: TaskContext,
  run: Run,
  column: number,
  own: Pick<MadeArtefact<PathDocument>, 'name' | 'data' | 'what' | 'natsOf'>,
): Promise<TaskOutcome> {
  return makeArtefact<PathDocument>(context, {
    ...own,
    computation: 'path',
    input: { run, column },
    write: (path) => writeDocument(context.store, own.name, path),
  });
}

/** How rows are shared out after a step; a refit has no rows left that say how likely that is. */
function makeShares(context: TaskContext, run: Run, key: string, data: DataRequest): Promise<TaskOutcome> {
  const of: MixedStep = mixedStepIn(key);
  const { store } = context;
  const name = mixedNames.shares(run.id, of);
  return makeArtefact<StepEnd>(context, {
    name,
    data,
    computation: 'share',
    input: { run, of },
    what: `how rows are shared out among ${nameOf(of)}`,
    write: async (end) => {
      // shares are what says that the step has ended
      await writeDocument(store, mixedNames.step(run.id, of), end.step);
      return writeDocument(store, name, end.shares);
    },
    ...(of.pooled !== true && { natsOf: ({ step }) => natsOfStep(step, run) }),
  });
}

function makePart(context: TaskContext, run: Run, key: string, data: DataRequest): Promise<TaskOutcome> {
  const { column, ...of } = mixedStepIn(key);
  const name = mixedNames.part(run.id, of, column);
  return makeArtefact<PartDocument>(context, {
    name,
    data,
    computation: 'part',
    input: { run, of, column },
    what: `column ${String(column + 1)} of ${nameOf(of)}`,
    write: (part) => writeDocument(context.store, name, part),
  });
}

function nameOf({ interval, components, step, pooled }: MixedStep): string {
  const where = interval === undefined ? '' : ` of interval ${String(interval + 1)}`;
  return `${String(components)} components${where}, step ${String(step)}${pooled === true ? ' of the refit' : ''}`;
}

/** The rows that conditionals learn from and are judged by, once for all threads. */
function rowsOf(run: Run, { isPooled = false } = {}): DataRequest {
  const { train, valid } = run.specification;
  const { datasets } = run;
  const { dimensions } = datasets.train;
  // validation rows of a refit are there twice
  const rows = datasets.train.rows + (isPooled ? 2 : 1) * datasets.valid.rows;
  const bytes = rows * (8 * Math.ceil(dimensions / 64) + 4) + 131_072;
  // of a thread: the groups of each predictor's rarer value, half of all at most, and seven numbers a row
  const { components, intervals } = mixtureOptions(run);
  const most = components.at(-1)!;
  // of a mixture: the predictors of every row as bytes, lists for each component, and up to three components a row
  const mixed = most === 1 ? 0 : rows * 5 * dimensions + most * dimensions * 64;
  // of a gate: what a row is expected to be, of each component
  const gate = intervals === 1 ? 0 : rows * most * 64;
  const own = rows * (2 * dimensions + 56) + mixed + gate;
  return {
    key: `sorted bits ${train} ${valid}${isPooled ? ' pooled' : ''}, ${String(own)} bytes a thread`,
    fit: threadsBeside(bytes, own),
    arrange: () => ({ name: 'load', input: { train, valid, isPooled } }),
  };
}
