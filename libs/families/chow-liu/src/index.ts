import { rowKinds } from '@orchard/contracts';
import { columnsIn } from '@orchard/dataset';
import { chowLiuCodec as codec, chowLiuFamily as name } from '@orchard/forests';
import { builtModule, familyOfOneTask, PipelineError, requireFewColumns } from '@orchard/pipeline';
import { chowLiuSpecificationSchema, chowLiuWordsSchema, usualOf } from './chow-liu-run.js';
import { computations, end, kind, MOST_COLUMNS } from './computations.js';

export { treeOfRows } from './computations.js';

/**
 * The tree of columns of most likelihood, or the forest of it that validation rows choose; of a table the forest whose
 * edges tell something of rows that are left out. One task.
 */
export const chowLiu = familyOfOneTask({
  name,
  codec,
  description: 'tree in which each column depends on one other (Chow-Liu); exact answers to any question',
  kind,
  state: 'counting',
  words: chowLiuWordsSchema,
  specification: chowLiuSpecificationSchema,
  specify: (words, { train }) => {
    const columns = columnsIn(train);
    requireFewColumns(columns.count, MOST_COLUMNS);
    const usual = usualOf[columns.kind];
    if (!('lent' in usual) && words['lent'] !== undefined) {
      throw new PipelineError('bad-request', {
        got: 'rows of bits with --lent',
        expected: 'a table',
        where: 'options of --model chow-liu',
        remedy: 'Leave it out: pairs of bits have a pseudocount (--pseudo-count).',
      });
    }
    return { ...usual, ...words };
  },
  learns: rowKinds,
  answers: { conditionals: 'exact', mostProbable: 'exact' },
  module: builtModule('computations', import.meta.url),
  computations,
  end,
});
