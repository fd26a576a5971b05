import { builtModule, countedRows, familyOfSteps, type DataRequest, type Run } from '@orchard/pipeline';
import { components } from './components.js';
import { computations, end } from './computations.js';
import { cutsetCodec as codec, cutsetFamily as name } from './cutset-model.js';
import { cutsetSpecification, cutsetSpecificationSchema, cutsetWordsSchema, wholeWords } from './cutset-run.js';

/** Cutset networks, one or a mixture: one task a component, boosted ones after each other, then one that mixes them. */
export const cutset = familyOfSteps({
  name,
  codec,
  steps: components,
  end,
  computations,
  description: 'cutset networks: conditions on columns, then trees of the others; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  step: { kind: 'component', state: 'learning', what: ({ chain, step }) => `component ${String(chain + step)}` },
  last: { kind: 'mix', state: 'mixing' },
  words: cutsetWordsSchema,
  specification: cutsetSpecificationSchema,
  specify: (words) => wholeWords(cutsetWordsSchema.parse(words)),
  module: builtModule('computations', import.meta.url),
  data: rowsOf,
});

/** The training rows, once for all threads; of boosted networks the validation rows too. */
function rowsOf(run: Run): DataRequest {
  const { datasets, specification } = run;
  const { train, valid } = specification;
  if (cutsetSpecification(run).boosted) {
    // of each row its logarithms and weights, and how often it is drawn; a table of pairs
    const own = 64 * (datasets.train.rows + datasets.valid.rows) + 8 * datasets.train.dimensions ** 2;
    return { ...countedRows(run, own), arrange: () => ({ name: 'loadBoth', input: { train, valid } }) };
  }
  const { rows, dimensions } = datasets.train;
  // distinct rows with how often each is there, and of every row which it is
  const bytes = rows * (8 * Math.ceil(dimensions / 64) + 12) + 65_536;
  return {
    key: `bits ${train}`,
    fit: (threads) => ({ threads, bytes }),
    arrange: () => ({ name: 'load', input: { train } }),
  };
}
