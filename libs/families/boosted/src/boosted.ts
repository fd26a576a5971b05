import { forestMixtureCodec } from '@orchard/mixture';
import { MOST_WEIGHTED_COLUMNS } from '@orchard/forests';
import {
  builtModule,
  countedRows,
  damagedBelow,
  familyOfOneModel,
  loadSplits,
  makeArtefact,
  requireFewColumns,
  storedNames,
  type Run,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import {
  boostedFamily,
  boostedSpecification,
  boostedSpecificationSchema,
  boostedWordsSchema,
  wholeWords,
} from './boosted-run.js';
import { computations, mix, reportOf } from './computations.js';
import { natsIn, readNats, risingLikelihood } from './rising-likelihood.js';
import { readRound, roundFrom, roundIn, roundKey, roundName, roundsFolder, roundsPrefix } from './rounds.js';

/** Trees of Chow and Liu, boosted: one task a round, each after the one before it, then one that mixes the trees. */
export const boosted = familyOfOneModel({
  name: boostedFamily,
  description: 'boosted mixture of trees of columns; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    {
      ...{ kind: 'round', pool: 'worker', state: 'boosting', folder: roundsFolder, counted: 'rounds' },
      rising: risingLikelihood,
    },
    { kind: 'mix', pool: 'selector', state: 'mixing', folder: 'networks', counted: null },
  ],
  words: boostedWordsSchema,
  specification: boostedSpecificationSchema,
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    round: (context, run, { key }) => {
      const round = roundIn(key);
      const name = roundName(run.id, round);
      return makeArtefact(context, {
        ...{
          name,
          data: countedRows(run, threadBytes(run)),
          computation: 'round',
          input: { run, round },
          what: `round ${String(round)}`,
        },
        write: (bytes) => context.store.put(name, bytes),
        natsOf: (bytes) => natsIn(bytes, run),
      });
    },
  },
  lastInput: async (store, run) => ({ count: await storedRounds(store, run) }),
  specify: (words, { train: { dimensions } }) => {
    requireFewColumns(dimensions, MOST_WEIGHTED_COLUMNS);
    return wholeWords(boostedWordsSchema.parse(words));
  },
  before: async ({ run, store, stored, isComplete }) => {
    const done = roundsAmong(stored, run.id);
    const isEnded = isComplete || (done > 0 && (await readRound(store, run.id, done)).isLast);
    return {
      tasks: isEnded ? [] : [{ kind: 'round', key: roundKey(done + 1) }],
      // how many there will be only the last one tells
      stages: { round: { total: isEnded ? done : boostedSpecification(run).components, done } },
    };
  },
  codec: forestMixtureCodec,
  readNats,
  damaged: (store, run) => damagedBelow(store, roundsPrefix(run.id), roundFrom),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    return reportOf(run, splits, await mix(store, run, await storedRounds(store, run), splits));
  },
});

/** Rounds that are stored, up to the first that is not. */
function roundsAmong(stored: ReadonlySet<string>, run: string): number {
  let count = 0;
  while (stored.has(roundName(run, count + 1))) count++;
  return count;
}

async function storedRounds(store: ObjectStore, run: Run): Promise<number> {
  return roundsAmong(await storedNames(store, run), run.id);
}

/** Of a thread: where rows have ones, logarithms and weights of each row, and two tables of pairs. */
function threadBytes({ datasets: { train, valid } }: Run): number {
  return (train.rows + valid.rows) * (6 * train.dimensions + 76) + 20 * train.dimensions ** 2;
}
