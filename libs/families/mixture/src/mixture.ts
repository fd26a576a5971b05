import { MOST_WEIGHTED_COLUMNS } from '@orchard/forests';
import { greatestOf } from '@orchard/numerics';
import { builtModule, countedRows, familyOfSteps, requireFewColumns, type Run } from '@orchard/pipeline';
import { candidates } from './candidates.js';
import { computations, end } from './computations.js';
import { forestMixtureCodec as codec } from './forest-mixture-model.js';
import {
  candidatesOf,
  mixtureFamily as name,
  mixtureSpecification,
  mixtureSpecificationSchema,
  mixtureWordsSchema,
  wholeWords,
} from './mixture-run.js';

/**
 * Mixtures by EM of products, shrunk along a tree of clusters or not, or of trees of columns: one task a run of EM,
 * then one that chooses.
 */
export const mixture = familyOfSteps({
  name,
  codec,
  steps: candidates,
  end,
  computations,
  description: 'mixture of independent columns, or of trees of columns, by EM; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  step: { kind: 'em', state: 'learning', what: ({ chain }) => `run ${String(chain)} of EM` },
  last: { kind: 'choose', state: 'choosing' },
  words: mixtureWordsSchema,
  specification: mixtureSpecificationSchema,
  specify: (said, { train: { dimensions } }) => {
    const words = wholeWords(mixtureWordsSchema.parse(said));
    if (words.of === 'trees') requireFewColumns(dimensions, MOST_WEIGHTED_COLUMNS);
    return words;
  },
  module: builtModule('computations', import.meta.url),
  data: (run) => countedRows(run, threadBytes(run)),
  costOf: (run, candidate) => candidatesOf(mixtureSpecification(run))[candidate]!.components,
  likeliest: ({ datasets: { valid } }) =>
    `Of the ${String(valid.rows)} validation rows, by the run of EM that makes them likeliest so far: they choose among all of them.`,
});

/** Of a thread: the mixture, the best, the sums, logarithms, and the shares of a block of rows. */
function threadBytes(run: Run): number {
  const { rows, dimensions } = run.datasets.train;
  const { of, components } = mixtureSpecification(run);
  const most = greatestOf(components);
  // of trees the shares of all rows, before the first step and after it, where rows have ones (as if all were), and the
  // pairs of one component
  const ofTrees = of === 'trees' ? (most * 16 + 6 * dimensions) * rows + 16 * dimensions ** 2 : 0;
  return most * (48 * dimensions + 8192) + ofTrees;
}
