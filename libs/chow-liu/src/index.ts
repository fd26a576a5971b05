import { builtModule, familyOfOneTask } from '@orchard/pipeline';
import { chowLiuCodec as codec, chowLiuFamily as name } from './chow-liu-model.js';
import { chowLiuSpecificationSchema, chowLiuWordsSchema, usual } from './chow-liu-run.js';
import { chowLiuOf, computations, requireFewColumns } from './computations.js';
import { sectionsOf } from './tree-section.js';

export { ChowLiu } from './chow-liu-model.js';

/** The tree of columns of most likelihood, or the forest of it that validation rows choose. One task. */
export const chowLiu = familyOfOneTask({
  name,
  codec,
  description: 'a tree of columns, each told by one other (Chow-Liu): exact answers to any question',
  kind: 'tree',
  state: 'counting',
  words: chowLiuWordsSchema,
  specification: chowLiuSpecificationSchema,
  specify: (words) => ({ ...usual, ...words }),
  check: ({ train }) => {
    requireFewColumns(train.dimensions);
  },
  module: builtModule('computations', import.meta.url),
  computations,
  modelOf: chowLiuOf,
  sectionsOf,
});
