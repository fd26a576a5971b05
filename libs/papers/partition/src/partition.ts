import { rowKinds } from '@orchard/contracts';
import { builtModule, countedRows, familyOfSteps, type Run } from '@orchard/pipeline';
import { computations, end } from './computations.js';
import { mostExact } from './every-set.js';
import { partitionCodec as codec, tablePartitionCodec } from './partition-model.js';
import {
  partitionFamily as name,
  partitionSpecification,
  partitionSpecificationSchema,
  partitionWordsSchema,
  wholeWords,
} from './partition-run.js';
import { steps } from './steps.js';
import { checkExperts, codesOf } from './table-run.js';

/**
 * Experts with areas of expertise, by EM: one task a step of each restart, each after the one before it, then one that
 * chooses.
 */
export const partition = familyOfSteps({
  name,
  codec,
  otherCodecs: [tablePartitionCodec],
  learns: rowKinds,
  steps,
  end,
  computations,
  description: 'templates that are experts for some columns each, by EM; exact with few templates, else a lower bound',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  step: {
    kind: 'step',
    state: 'learning',
    what: ({ chain, step }) => `step ${String(step + 1)} of run ${String(chain + 1)} of EM`,
  },
  last: { kind: 'choose', state: 'choosing' },
  words: partitionWordsSchema,
  specification: partitionSpecificationSchema,
  specify: (words, { train }) => {
    const whole = wholeWords(partitionWordsSchema.parse(words));
    if (train.table !== undefined) checkExperts(whole.experts, train);
    return whole;
  },
  module: builtModule('computations', import.meta.url),
  data: (run) => (run.datasets.train.table === undefined ? countedRows(run, threadBytes(run)) : codesOf(run)),
  likeliest: (run) => {
    const { train, valid } = run.datasets;
    const isBound = train.table === undefined && partitionSpecification(run).experts > mostExact(train.dimensions);
    const told = `Of the ${String(valid.rows)} validation rows, by the step of EM that makes them likeliest so far: they choose among all of them.`;
    return isBound ? `${told} Of so many experts it is a lower bound.` : told;
  },
});

/**
 * Of a thread: where rows have ones, the experts of each row, a dozen arrays of all experts, what two pursuits have of
 * them in eights, all composed templates and blocks of rows by them.
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
