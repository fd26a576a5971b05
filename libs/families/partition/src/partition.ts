import {
  builtModule,
  countedRows,
  damagedBelow,
  familyOfOneModel,
  loadSplits,
  makeArtefact,
  type OpenTask,
  type Run,
} from '@orchard/pipeline';
import { choose, computations, reportOf } from './computations.js';
import { mostExact } from './every-set.js';
import { partitionCodec } from './partition-model.js';
import {
  partitionFamily,
  partitionSpecification,
  partitionSpecificationSchema,
  partitionWordsSchema,
  wholeWords,
} from './partition-run.js';
import { natsIn, readNats, risingLikelihood } from './rising-likelihood.js';
import { placeIn, stepFrom, stepKey, stepName, stepsFolder, stepsPrefix } from './steps.js';

/** Experts with areas of expertise, by EM: one task a step of each restart, each after the one before it, then one that chooses. */
export const partition = familyOfOneModel({
  name: partitionFamily,
  description: 'templates that are experts for some columns each, by EM; exact with few templates, else a lower bound',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    {
      ...{ kind: 'step', pool: 'worker', state: 'learning', folder: stepsFolder, counted: 'steps' },
      rising: risingLikelihood,
    },
    { kind: 'choose', pool: 'selector', state: 'choosing', folder: 'networks', counted: null },
  ],
  words: partitionWordsSchema,
  specification: partitionSpecificationSchema,
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    step: (context, run, { key }) => {
      const name = stepName(run.id, placeIn(key));
      return makeArtefact(context, {
        ...{
          name,
          data: countedRows(run, threadBytes(run)),
          computation: 'step',
          input: { run, key },
          what: `step ${key} of EM`,
        },
        write: (bytes) => context.store.put(name, bytes),
        natsOf: (bytes) => natsIn(bytes, run),
      });
    },
  },
  specify: (words) => wholeWords(partitionWordsSchema.parse(words)),
  before: ({ run, stored, isComplete }) => {
    const { restarts, steps } = partitionSpecification(run);
    const total = restarts * steps;
    let done = 0;
    const tasks: OpenTask[] = [];
    for (let restart = 0; restart < restarts; restart++) {
      let step = 1;
      while (step <= steps && stored.has(stepName(run.id, { restart, step }))) step++;
      done += step - 1;
      if (step <= steps) tasks.push({ kind: 'step', key: stepKey({ restart, step }) });
    }
    return { tasks, stages: { step: { total, done: isComplete ? total : done } } };
  },
  codec: partitionCodec,
  readNats,
  damaged: (store, run) => damagedBelow(store, stepsPrefix(run.id), stepFrom),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    return reportOf(run, splits, await choose(store, run, splits));
  },
});

/**
 * Of a thread: where rows have ones, the experts of each row, a dozen arrays of all experts, what two pursuits have of them in
 * eights, all composed templates and blocks of rows by them.
 */
function threadBytes(run: Run): number {
  const { train, valid } = run.datasets;
  const { dimensions } = train;
  const { experts } = partitionSpecification(run);
  const sets = experts <= mostExact(dimensions) ? 2 ** experts : 0;
  const eights = 8 * Math.ceil(experts / 8);
  return (
    (train.rows + valid.rows) * (4 * dimensions + 8 * experts + 64) +
    96 * experts * dimensions +
    48 * eights * dimensions +
    sets * (48 * dimensions + 8192)
  );
}
