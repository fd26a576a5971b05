import { builtModule, countedRows, familyOfSteps, PipelineError, type Run } from '@orchard/pipeline';
import { compositionalCodec as codec, compositionalFamily as name } from './compositional-model.js';
import {
  compositionalSpecification,
  compositionalSpecificationSchema,
  compositionalWordsSchema,
  wholeWords,
} from './compositional-run.js';
import { computations, end } from './computations.js';
import { mostExperts } from '@orchard/mixture/every-set';
import { steps } from './steps.js';

/**
 * Templates that are composed, by hard EM: one task a step of each run of EM, each after the one before it, then one
 * that chooses.
 */
export const compositional = familyOfSteps({
  name,
  codec,
  steps,
  end,
  computations,
  description: 'compositional mixture of a few templates, for parts of images; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  step: {
    kind: 'em',
    state: 'learning',
    what: ({ chain, step }) => `step ${String(step)} of run ${String(chain + 1)} of EM`,
  },
  last: { kind: 'choose', state: 'choosing' },
  words: compositionalWordsSchema,
  specification: compositionalSpecificationSchema,
  specify: (said, { train: { dimensions } }) => {
    const words = wholeWords(compositionalWordsSchema.parse(said), dimensions);
    checkCount(words.experts, dimensions);
    return words;
  },
  module: builtModule('computations', import.meta.url),
  data: (run) => countedRows(run, threadBytes(run)),
  likeliest: ({ datasets: { valid } }) =>
    `Of the ${String(valid.rows)} validation rows, by the step of EM that makes them likeliest so far: they choose among all of them.`,
});

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

/**
 * Of a thread: where rows have ones, the composed templates of all sets with their logarithms, and of log-odds the ones
 * of each set.
 */
function threadBytes(run: Run): number {
  const { train, valid } = run.datasets;
  const { dimensions } = train;
  const { experts, composition } = compositionalSpecification(run);
  const sets = 2 ** experts;
  return (
    4 * (train.rows + valid.rows) * dimensions +
    40 * sets * dimensions +
    8192 * sets +
    (composition !== 'max-minus-min' && composition !== 'max' ? 8 * Math.min(train.rows, sets) * dimensions : 0)
  );
}
