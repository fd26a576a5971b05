import { forestMixtureCodec as codec } from '@orchard/mixture';
import { MOST_WEIGHTED_COLUMNS } from '@orchard/forests';
import { builtModule, countedRows, familyOfSteps, requireFewColumns, type Run } from '@orchard/pipeline';
import { boostedFamily as name, boostedSpecificationSchema, boostedWordsSchema, wholeWords } from './boosted-run.js';
import { computations, end } from './computations.js';
import { rounds } from './rounds.js';

/** Trees of Chow and Liu, boosted: one task a round, each after the one before it, then one that mixes the trees. */
export const boosted = familyOfSteps({
  name,
  codec,
  steps: rounds,
  end,
  computations,
  description: 'boosted mixture of trees of columns; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  step: { kind: 'round', state: 'boosting', what: ({ step }) => `round ${String(step + 1)}` },
  last: { kind: 'mix', state: 'mixing' },
  words: boostedWordsSchema,
  specification: boostedSpecificationSchema,
  specify: (words, { train: { dimensions } }) => {
    requireFewColumns(dimensions, MOST_WEIGHTED_COLUMNS);
    return wholeWords(boostedWordsSchema.parse(words));
  },
  module: builtModule('computations', import.meta.url),
  data: (run) => countedRows(run, threadBytes(run)),
  likeliest: ({ datasets: { valid } }) =>
    `Of the ${String(valid.rows)} validation rows, by the trees up to the round that makes them likeliest so far: they choose how many are kept.`,
});

/** Of a thread: where rows have ones, logarithms and weights of each row, and two tables of pairs. */
function threadBytes({ datasets: { train, valid } }: Run): number {
  return (train.rows + valid.rows) * (6 * train.dimensions + 76) + 20 * train.dimensions ** 2;
}
