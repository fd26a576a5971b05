import {
  builtModule,
  countedRows,
  damagedBelow,
  familyOfOneModel,
  loadSplits,
  makeArtefact,
  PipelineError,
  storedNames,
  type OpenTask,
  type Run,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { chooseStep } from './choose-step.js';
import { compositionalCodec, compositionalFamily } from './compositional-model.js';
import {
  compositionalSpecification,
  compositionalSpecificationSchema,
  compositionalWordsSchema,
  wholeWords,
} from './compositional-run.js';
import { computations, reportOf } from './computations.js';
import { mostExperts } from './every-set.js';
import { natsIn, readNats, risingLikelihood } from './rising-likelihood.js';
import { placeIn, readStep, stepFrom, stepKey, stepName, stepsAmong, stepsFolder, stepsPrefix } from './steps.js';

/** Templates that are composed, by hard EM: one task a step of each run of EM, each after the one before it, then one that chooses. */
export const compositional = familyOfOneModel({
  name: compositionalFamily,
  description: 'compositional mixture of a few templates, for parts of images; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    {
      ...{ kind: 'em', pool: 'worker', state: 'learning', folder: stepsFolder, counted: 'steps' },
      rising: risingLikelihood,
    },
    { kind: 'choose', pool: 'selector', state: 'choosing', folder: 'networks', counted: null },
  ],
  words: compositionalWordsSchema,
  specification: compositionalSpecificationSchema,
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    em: (context, run, { key }) => {
      const name = stepName(run.id, placeIn(key));
      return makeArtefact(context, {
        ...{
          name,
          data: countedRows(run, threadBytes(run)),
          computation: 'em',
          input: { run, key },
          what: `step ${key} of EM`,
        },
        write: (bytes) => context.store.put(name, bytes),
        natsOf: (bytes) => natsIn(bytes, run),
      });
    },
  },
  lastInput: async (store, run) => ({ keys: await storedKeys(store, run) }),
  specify: (said, { train: { dimensions } }) => {
    const words = wholeWords(compositionalWordsSchema.parse(said), dimensions);
    checkCount(words.experts, dimensions);
    return words;
  },
  before: async ({ run, store, stored, isComplete }) => {
    const { restarts, steps } = compositionalSpecification(run);
    const tasks: OpenTask[] = [];
    let done = 0;
    let total = 0;
    for (let restart = 0; restart < restarts; restart++) {
      const count = stepsAmong(stored, run.id, restart);
      done += count;
      const isEnded = isComplete || count > steps || (count > 0 && (await isLast(store, run, restart, count - 1)));
      // how many there will be only the last one tells
      total += isEnded ? count : steps + 1;
      if (!isEnded) tasks.push({ kind: 'em', key: stepKey({ restart, step: count }) });
    }
    return { tasks, stages: { em: { total, done } } };
  },
  codec: compositionalCodec,
  readNats,
  damaged: (store, run) => damagedBelow(store, stepsPrefix(run.id), stepFrom),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    return reportOf(run, splits, await chooseStep(store, run, await storedKeys(store, run), splits));
  },
});

async function isLast(store: ObjectStore, run: Run, restart: number, step: number): Promise<boolean> {
  return (await readStep(store, run.id, { restart, step })).isLast;
}

/** Of all steps that are stored, by restart and step. */
async function storedKeys(store: ObjectStore, run: Run): Promise<readonly string[]> {
  const stored = await storedNames(store, run);
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

/** Of a thread: where rows have ones, the composed templates of all sets with their logarithms, and of log-odds the ones of each set. */
function threadBytes(run: Run): number {
  const { train, valid } = run.datasets;
  const { dimensions } = train;
  const { experts, composition } = compositionalSpecification(run);
  const sets = 2 ** experts;
  return (
    4 * (train.rows + valid.rows) * dimensions +
    40 * sets * dimensions +
    8192 * sets +
    (composition === 'log-odds' ? 8 * Math.min(train.rows, sets) * dimensions : 0)
  );
}
