import { rowKinds } from '@orchard/contracts';
import { forestMixtureCodec as codec } from '@orchard/mixture';
import { chowLiuCodec, MOST_WEIGHTED_COLUMNS } from '@orchard/forests';
import { builtModule, countedRows, familyOfSteps, requireFewColumns, type Run } from '@orchard/pipeline';
import { boostedFamily as name, boostedSpecificationSchema, boostedWordsSchema, wholeWords } from './boosted-run.js';
import { computations, end } from './computations.js';
import { bayesianNetworkCodecs } from './network/bayesian-network.js';
import { rounds } from './rounds.js';

/** Of tables every pair is counted in groups of values, in each fit of each round. */
const MOST_VARIABLES = 1024;

/**
 * Trees of Chow and Liu, or Bayesian networks of few edges, boosted: one task a round, each after the one before it,
 * then one that mixes them.
 */
export const boosted = familyOfSteps({
  name,
  codec,
  otherCodecs: [...bayesianNetworkCodecs, chowLiuCodec],
  learns: rowKinds,
  steps: rounds,
  end,
  computations,
  description: 'boosted mixture of trees or small networks of columns; exact conditional probabilities of trees',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  step: { kind: 'round', state: 'boosting', what: ({ step }) => `round ${String(step + 1)}` },
  last: { kind: 'mix', state: 'mixing' },
  words: boostedWordsSchema,
  specification: boostedSpecificationSchema,
  specify: (words, { train: { dimensions, table } }) => {
    const columns = table?.variables.length ?? dimensions;
    requireFewColumns(columns, table === undefined ? MOST_WEIGHTED_COLUMNS : MOST_VARIABLES);
    return wholeWords(boostedWordsSchema.parse(words), columns);
  },
  module: builtModule('computations', import.meta.url),
  data: (run) => countedRows(run, threadBytes(run)),
  likeliest: ({ datasets: { valid } }) =>
    `Of the ${String(valid.rows)} validation rows, by the rounds up to the one that makes them likeliest so far: they choose how many are kept.`,
});

/**
 * Of a thread: where rows have ones, the values, logarithms and weights of each row, and two tables of pairs. Of a
 * table codes, groups and lines of each row, and the counts of a pair.
 */
function threadBytes({ datasets: { train, valid } }: Run): number {
  if (train.table !== undefined)
    return (train.rows + valid.rows) * (8 * train.table.variables.length + 4 * train.dimensions + 100) + 2 ** 22;
  return (train.rows + valid.rows) * (7 * train.dimensions + 76) + 20 * train.dimensions ** 2;
}
