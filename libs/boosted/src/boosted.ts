import { runIdOf } from '@orchard/contracts';
import { forestMixtureCodec } from '@orchard/forest-mixture';
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
import {
  boostedFamily,
  boostedSpecification,
  boostedSpecificationSchema,
  boostedWordsSchema,
  wholeWords,
  type BoostedSpecification,
} from './boosted-run.js';
import { computations, mix, reportOf } from './computations.js';
import { readRound, roundFrom, roundIn, roundKey, roundName, roundsFolder, roundsPrefix } from './rounds.js';

const wanted = 'model';

/** Trees of Chow and Liu, boosted: one task a round, each after the one before it, then one that mixes the trees. */
export const boosted: Family = {
  name: boostedFamily,
  description:
    'trees of columns boosted to one mixture, until validation rows gain no more: exact answers but for the most probable row',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    { kind: 'round', pool: 'worker', state: 'boosting', folder: roundsFolder, counted: 'rounds' },
    { kind: 'mix', pool: 'selector', state: 'mixing', folder: 'networks', counted: null },
  ],
  words: boostedWordsSchema,
  specification: boostedSpecificationSchema,
  wanted: z.strictObject({}),
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    round: async ({ store, compute, isNew, signal }, run, { key }) => {
      requireSameNumerics(run);
      const round = roundIn(key);
      const name = roundName(run.id, round);
      if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
      const what = `round ${String(round)}`;
      const bytes = await compute.withData(rowsOf(run), (call) =>
        call<Uint8Array | null>('round', { run, round }, { signal, what }),
      );
      if (bytes === null) throw interruptedIn(what);
      return { stored: await store.put(name, bytes) };
    },
    mix: async ({ store, compute, signal, withReport }, run) => {
      requireSameNumerics(run);
      const count = await storedRounds(store, run.id);
      await compute.call('mix', { run, count, withReport }, { signal });
      return { stored: 'created' };
    },
  },
  resolve: (said, datasets) => {
    checkSplits(datasets);
    const { train, valid, test } = datasets;
    const specification: BoostedSpecification = {
      family: boostedFamily,
      train: train.id,
      valid: valid.id,
      test: test?.id ?? null,
      ...wholeWords(boostedWordsSchema.parse(said)),
      numericsVersion: NUMERICS_VERSION,
    };
    return { runId: runIdOf(specification), specification, choice: {} };
  },
  wantedName: () => wanted,
  missing: async (store, run, [choice = {}], { withReport }) => {
    const stored = new Set<string>();
    for await (const { name } of listAll(store, artefactNames.run(run.id))) stored.add(name);
    const names = [artefactNames.network(run.id, wanted), artefactNames.summary(run.id, wanted)];
    if (withReport) names.push(artefactNames.report(run.id, wanted));
    const isComplete = names.every((name) => stored.has(name));
    const done = roundsAmong(stored, run.id);
    const isEnded = isComplete || (done > 0 && (await readRound(store, run.id, done)).isLast);
    const key = roundKey(done + 1);
    const next = { task: { run: run.id, kind: 'round', key }, cost: 1, detail: {}, isNew: true };
    const last = { task: { run: run.id, kind: 'mix', key: wanted }, cost: 1, detail: {}, isNew: false };
    return {
      tasks: isComplete ? [] : [isEnded ? last : next],
      complete: isComplete ? [choice] : [],
      stages: {
        // how many there will be only the last one tells
        round: { total: isEnded ? done : boostedSpecification(run).components, done },
        mix: { total: 1, done: isComplete ? 1 : 0 },
      },
    };
  },
  codec: forestMixtureCodec,
  damaged: (store, run) => damagedBelow(store, roundsPrefix(run.id), roundFrom),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    return reportOf(run, splits, await mix(store, run, await storedRounds(store, run.id), splits));
  },
};

/** Rounds that are stored, up to the first that is not. */
function roundsAmong(stored: ReadonlySet<string>, run: string): number {
  let count = 0;
  while (stored.has(roundName(run, count + 1))) count++;
  return count;
}

async function storedRounds(store: ObjectStore, run: string): Promise<number> {
  const stored = new Set<string>();
  for await (const { name } of listAll(store, roundsPrefix(run))) stored.add(name);
  return roundsAmong(stored, run);
}

/** The rows that trees are fitted to and those that end it, once for all threads. */
function rowsOf(run: Run): DataRequest {
  const { train, valid } = run.specification;
  const facts = run.datasets;
  const { rows, dimensions } = facts.train;
  const all = rows + facts.valid.rows;
  const bytes = all * (8 * Math.ceil(dimensions / 64) + 8) + 131_072;
  // of a thread: where rows have ones, logarithms and weights of each row, and two tables of pairs
  const own = all * (4 * dimensions + 64) + 20 * dimensions ** 2;
  return {
    key: `boosted bits ${train} ${valid}`,
    fit: (threads, room) => {
      const fitting = Math.max(1, Math.min(threads, Math.floor((room - bytes) / own)));
      return { threads: fitting, bytes: bytes + fitting * own };
    },
    arrange: () => ({ name: 'load', input: { train, valid } }),
  };
}

function interruptedIn(what: string): PipelineError {
  return new PipelineError('interrupted', {
    got: 'a request to stop between two rounds',
    expected: 'time to finish',
    where: what,
    remedy: 'Run again: the rounds that are stored stay.',
  });
}
