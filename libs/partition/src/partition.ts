import { runIdOf } from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import {
  artefactNames,
  builtModule,
  checkSplits,
  damagedBelow,
  loadSplits,
  PipelineError,
  requireSameNumerics,
  type DataRequest,
  type Family,
  type Run,
} from '@orchard/pipeline';
import { listAll } from '@orchard/storage';
import { z } from 'zod';
import { choose, computations, reportOf } from './computations.js';
import { mostExact } from './every-set.js';
import { partitionCodec } from './partition-model.js';
import {
  partitionFamily,
  partitionSpecification,
  partitionSpecificationSchema,
  partitionWordsSchema,
  wholeWords,
  type PartitionSpecification,
} from './partition-run.js';
import { placeIn, stepFrom, stepKey, stepName, stepsFolder, stepsPrefix } from './steps.js';

const wanted = 'model';

/** Experts with areas of expertise, by EM: one task a step of each restart, each after the one before it, then one that chooses. */
export const partition: Family = {
  name: partitionFamily,
  description:
    'templates with areas of expertise that share the columns of each row out, by EM: exact answers of few, a lower bound of many',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    { kind: 'step', pool: 'worker', state: 'learning', folder: stepsFolder, counted: 'steps' },
    { kind: 'choose', pool: 'selector', state: 'choosing', folder: 'networks', counted: null },
  ],
  words: partitionWordsSchema,
  specification: partitionSpecificationSchema,
  wanted: z.strictObject({}),
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    step: async ({ store, compute, isNew, signal }, run, { key }) => {
      requireSameNumerics(run);
      const name = stepName(run.id, placeIn(key));
      if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
      const what = `step ${key} of EM`;
      const bytes = await compute.withData(rowsOf(run), (call) =>
        call<Uint8Array | null>('step', { run, key }, { signal, what }),
      );
      if (bytes === null) throw interruptedIn(what);
      return { stored: await store.put(name, bytes) };
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
    const specification: PartitionSpecification = {
      family: partitionFamily,
      train: train.id,
      valid: valid.id,
      test: test?.id ?? null,
      ...wholeWords(partitionWordsSchema.parse(said)),
      numericsVersion: NUMERICS_VERSION,
    };
    return { runId: runIdOf(specification), specification, choice: {} };
  },
  wantedName: () => wanted,
  missing: async (store, run, [choice = {}], { withReport }) => {
    const { restarts, steps } = partitionSpecification(run);
    const stored = new Set<string>();
    for await (const { name } of listAll(store, artefactNames.run(run.id))) stored.add(name);
    const names = [artefactNames.network(run.id, wanted), artefactNames.summary(run.id, wanted)];
    if (withReport) names.push(artefactNames.report(run.id, wanted));
    const isComplete = names.every((name) => stored.has(name));
    const total = restarts * steps;
    let done = 0;
    const open: string[] = [];
    for (let restart = 0; restart < restarts; restart++) {
      let step = 1;
      while (step <= steps && stored.has(stepName(run.id, { restart, step }))) step++;
      done += step - 1;
      if (step <= steps) open.push(stepKey({ restart, step }));
    }
    const next = open.map((key) => ({ task: { run: run.id, kind: 'step', key }, cost: 1, detail: {}, isNew: true }));
    const last = { task: { run: run.id, kind: 'choose', key: wanted }, cost: 1, detail: {}, isNew: false };
    return {
      tasks: isComplete ? [] : open.length > 0 ? next : [last],
      complete: isComplete ? [choice] : [],
      stages: { step: { total, done: isComplete ? total : done }, choose: { total: 1, done: isComplete ? 1 : 0 } },
    };
  },
  codec: partitionCodec,
  damaged: (store, run) => damagedBelow(store, stepsPrefix(run.id), stepFrom),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    return reportOf(run, splits, await choose(store, run, splits));
  },
};

/** The rows that experts are learned from and judged by, once for all threads. */
function rowsOf(run: Run): DataRequest {
  const { train, valid } = run.specification;
  const facts = run.datasets;
  const { rows, dimensions } = facts.train;
  const { experts } = partitionSpecification(run);
  const all = rows + facts.valid.rows;
  const bytes = all * (8 * Math.ceil(dimensions / 64) + 8) + 131_072;
  const sets = experts <= mostExact(dimensions) ? 2 ** experts : 0;
  // of a thread: where rows have ones, the experts of each row, a dozen arrays of all experts, all composed templates and blocks of rows by them
  const own = all * (4 * dimensions + 8 * experts + 64) + 96 * experts * dimensions + sets * (48 * dimensions + 8192);
  return {
    key: `partition bits ${train} ${valid}`,
    fit: (threads, room) => {
      const fitting = Math.max(1, Math.min(threads, Math.floor((room - bytes) / own)));
      return { threads: fitting, bytes: bytes + fitting * own };
    },
    arrange: () => ({ name: 'load', input: { train, valid } }),
  };
}

function interruptedIn(what: string): PipelineError {
  return new PipelineError('interrupted', {
    got: 'a request to stop',
    expected: 'time to finish',
    where: what,
    remedy: 'Run again: the steps that are stored stay, and this one begins again.',
  });
}
