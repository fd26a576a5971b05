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
import { listAll, type ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { compositionalCodec, compositionalFamily } from './compositional-model.js';
import {
  compositionalSpecification,
  compositionalSpecificationSchema,
  compositionalWordsSchema,
  wholeWords,
  type CompositionalSpecification,
} from './compositional-run.js';
import { choose, computations, reportOf } from './computations.js';
import { mostExperts } from './every-set.js';
import { placeIn, readStep, stepFrom, stepKey, stepName, stepsAmong, stepsFolder, stepsPrefix } from './steps.js';

const wanted = 'model';

/** Templates that are composed, by hard EM: one task a step of each run of EM, each after the one before it, then one that chooses. */
export const compositional: Family = {
  name: compositionalFamily,
  description:
    'few templates, each on or off by itself, composed to one: parts of images, learned from few rows; exact answers but for the most probable row',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    { kind: 'em', pool: 'worker', state: 'learning', folder: stepsFolder, counted: 'steps' },
    { kind: 'choose', pool: 'selector', state: 'choosing', folder: 'networks', counted: null },
  ],
  words: compositionalWordsSchema,
  specification: compositionalSpecificationSchema,
  wanted: z.strictObject({}),
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    em: async ({ store, compute, isNew, signal }, run, { key }) => {
      requireSameNumerics(run);
      const name = stepName(run.id, placeIn(key));
      if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
      const what = `step ${key} of EM`;
      const bytes = await compute.withData(rowsOf(run), (call) =>
        call<Uint8Array | null>('em', { run, key }, { signal, what }),
      );
      if (bytes === null) throw interruptedIn(what);
      return { stored: await store.put(name, bytes) };
    },
    choose: async ({ store, compute, signal, withReport }, run) => {
      requireSameNumerics(run);
      const keys = await storedKeys(store, run);
      await compute.call('choose', { run, keys, withReport }, { signal });
      return { stored: 'created' };
    },
  },
  resolve: (said, datasets) => {
    checkSplits(datasets);
    const { train, valid, test } = datasets;
    const words = wholeWords(compositionalWordsSchema.parse(said), train.dimensions);
    checkCount(words.experts, train.dimensions);
    const specification: CompositionalSpecification = {
      family: compositionalFamily,
      train: train.id,
      valid: valid.id,
      test: test?.id ?? null,
      ...words,
      numericsVersion: NUMERICS_VERSION,
    };
    return { runId: runIdOf(specification), specification, choice: {} };
  },
  wantedName: () => wanted,
  missing: async (store, run, [choice = {}], { withReport }) => {
    const { restarts, steps } = compositionalSpecification(run);
    const stored = new Set<string>();
    for await (const { name } of listAll(store, artefactNames.run(run.id))) stored.add(name);
    const names = [artefactNames.network(run.id, wanted), artefactNames.summary(run.id, wanted)];
    if (withReport) names.push(artefactNames.report(run.id, wanted));
    const isComplete = names.every((name) => stored.has(name));
    const open: string[] = [];
    let done = 0;
    let total = 0;
    for (let restart = 0; restart < restarts; restart++) {
      const count = stepsAmong(stored, run.id, restart);
      done += count;
      const isEnded = isComplete || count > steps || (count > 0 && (await isLast(store, run, restart, count - 1)));
      // how many there will be only the last one tells
      total += isEnded ? count : steps + 1;
      if (!isEnded) open.push(stepKey({ restart, step: count }));
    }
    const tasks = open.map((key) => ({ task: { run: run.id, kind: 'em', key }, cost: 1, detail: {}, isNew: true }));
    const last = { task: { run: run.id, kind: 'choose', key: wanted }, cost: 1, detail: {}, isNew: false };
    return {
      tasks: isComplete ? [] : open.length > 0 ? tasks : [last],
      complete: isComplete ? [choice] : [],
      stages: { em: { total, done }, choose: { total: 1, done: isComplete ? 1 : 0 } },
    };
  },
  codec: compositionalCodec,
  damaged: (store, run) => damagedBelow(store, stepsPrefix(run.id), stepFrom),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    return reportOf(run, splits, await choose(store, run, await storedKeys(store, run), splits));
  },
};

async function isLast(store: ObjectStore, run: Run, restart: number, step: number): Promise<boolean> {
  return (await readStep(store, run.id, { restart, step })).isLast;
}

/** Of all steps that are stored, by restart and step. */
async function storedKeys(store: ObjectStore, run: Run): Promise<readonly string[]> {
  const stored = new Set<string>();
  for await (const { name } of listAll(store, stepsPrefix(run.id))) stored.add(name);
  const { restarts } = compositionalSpecification(run);
  return Array.from({ length: restarts }, (_, restart) =>
    Array.from({ length: stepsAmong(stored, run.id, restart) }, (_, step) => stepKey({ restart, step })),
  ).flat();
}

/** @throws PipelineError `bad-request` where the sets of experts are too many to be asked exactly */
function checkCount(experts: number, dimensions: number): void {
  const most = mostExperts(dimensions);
  if (experts <= most) return;
  throw new PipelineError('bad-request', {
    got: `${String(experts)} experts of ${String(dimensions)} columns`,
    expected: most < 1 ? 'fewer columns' : `at most ${String(most)} of so many columns, each set of which is asked`,
    where: 'experts',
    remedy: `${most < 1 ? 'Use' : 'Say fewer experts, or use'} the model mixture, whose templates may be thousands.`,
  });
}

/** The rows that experts are learned from and judged by, once for all threads. */
function rowsOf(run: Run): DataRequest {
  const { train, valid } = run.specification;
  const facts = run.datasets;
  const { rows, dimensions } = facts.train;
  const all = rows + facts.valid.rows;
  const bytes = all * (8 * Math.ceil(dimensions / 64) + 8) + 131_072;
  const { experts, composition } = compositionalSpecification(run);
  // of a thread: where rows have ones, the composed templates of all sets with their logarithms, and of log-odds the ones of each set
  const sets = 2 ** experts;
  const own =
    4 * all * dimensions +
    40 * sets * dimensions +
    8192 * sets +
    (composition === 'log-odds' ? 8 * Math.min(rows, sets) * dimensions : 0);
  return {
    key: `counted bits ${train} ${valid}`,
    fit: (threads, room) => {
      const fitting = Math.max(1, Math.min(threads, Math.floor((room - bytes) / own)));
      return { threads: fitting, bytes: bytes + fitting * own };
    },
    arrange: () => ({ name: 'load', input: { train, valid } }),
  };
}

function interruptedIn(what: string): PipelineError {
  return new PipelineError('interrupted', {
    got: 'a request to stop between two steps',
    expected: 'time to finish',
    where: what,
    remedy: 'Run again: the steps that are stored stay.',
  });
}
