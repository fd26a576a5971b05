import { ascendingNumbers, MAXIMUM_MEMBERS, seedSchema, severalNumbers } from '@orchard/contracts';
import { PipelineError, type RunDatasets } from '@orchard/pipeline';
import { MOST_PENALTIES, MOST_TRIED, optionSchemas, type SparnSpecification } from '@orchard/sparn-mixture';
import { z } from 'zod';
import { gridWords } from './grid-run.js';

/**
 * By factors of √2. Smaller ones take longer, and gained about 0.002 nats per row at most where the smallest was chosen
 * (README).
 */
export const USUAL_PENALTIES = [32, 22.6, 16, 11.3, 8, 5.66, 4, 2.83, 2, 1.41, 1, 0.71, 0.5, 0.35, 0.25, 0.18];

/**
 * Rows of more columns have a penalty that some columns choose, and are learned once more from all rows: each column of
 * a wide dense row takes a second and more under the smallest penalties, which lose there.
 */
const MOST_CHOOSING = 256;
const CHOOSERS = 64;

export const sparnWordsSchema = z.strictObject({
  penalty: severalNumbers(
    optionSchemas.penalty,
    MOST_PENALTIES,
    `strength (lambda) of the L1 penalty, or several for validation rows to choose from: numbers from 0.001 to 1000000, separated by commas (default: ${USUAL_PENALTIES.join(',')})`,
  ),
  interceptScaling: optionSchemas.interceptScaling.optional().meta({
    description: 'penalty of weights divided by that of intercepts: a number from 1 to 1000000 (default: 10)',
  }),
  components: severalNumbers(
    optionSchemas.components,
    MOST_TRIED,
    `networks to mix (K), or several for validation rows to choose from: whole numbers from 1 to ${String(MAXIMUM_MEMBERS)}, separated by commas (default: 1)`,
  ),
  tying: optionSchemas.tying.optional().meta({
    description:
      'weights of several components: separate (untied), shared but for intercepts (tied), or by gain (auto) (default: auto)',
  }),
  intervals: optionSchemas.intervals.optional().meta({
    description:
      'equal intervals of columns, each with a mixture of its own that depends on the columns before it: a whole number from 2 to 64 (default: one mixture of whole rows)',
  }),
  steps: optionSchemas.steps.optional().meta({
    description: 'most steps of EM with several components: a whole number from 1 to 100 (default: 5)',
  }),
  neighbours: optionSchemas.neighbours.optional().meta({
    description:
      'images: predict a pixel only from earlier pixels at most this many rows and columns away: a whole number from 1 to 1000 (default: all earlier pixels)',
  }),
  ...gridWords,
  seed: seedSchema.optional(),
  refit: z
    .boolean()
    .optional()
    .meta({
      description: `learn once more, from training and validation rows together, with the penalty and the components that the validation rows chose (default: off; over ${String(MOST_CHOOSING)} columns and without --penalty: on, with a penalty that ${String(CHOOSERS)} columns choose)`,
    }),
});

export type SparnWords = z.infer<typeof sparnWordsSchema>;

export function wholePenalties(penalty: Parameters<typeof ascendingNumbers>[0]): number[] {
  return ascendingNumbers(penalty).reverse();
}

/**
 * What words leave open.
 *
 * @throws PipelineError `bad-request` for a word about mixtures where there is none, or about a grid or intervals that
 *   such rows do not have
 */
export function wholeWords(
  { penalty: given, interceptScaling = 10, neighbours, components = [1], refit, ...mixed }: SparnWords,
  { shape, dimensions }: RunDatasets['train'],
): Omit<SparnSpecification, 'family' | 'train' | 'valid' | 'test' | 'numericsVersion'> {
  if (neighbours !== undefined && shape === null)
    throw new PipelineError('bad-request', {
      got: `neighbours ${String(neighbours)}, and rows without a shape`,
      expected: 'rows that are images',
      where: 'neighbours',
      remedy: 'Say their height and width (--shape 28x28), or leave neighbours out.',
    });
  if (mixed.pseudoCount !== undefined)
    throw new PipelineError('bad-request', {
      got: `pseudoCount ${String(mixed.pseudoCount)}, and regressions`,
      expected: 'a pseudocount of tables alone',
      where: 'pseudoCount',
      remedy: 'Say how many parents (--parents 4), or leave it out.',
    });
  const penalty = given ?? USUAL_PENALTIES;
  const isChosenBySome = given === undefined && dimensions > MOST_CHOOSING && !isSeveral(components) && refit !== false;
  const single = {
    penalty: wholePenalties(penalty),
    interceptScaling,
    ...(neighbours !== undefined && { neighbours }),
    ...((refit === true || isChosenBySome) && { refit: true as const }),
    ...(isChosenBySome && { choosers: CHOOSERS }),
  };
  const tried = ascendingNumbers(components);
  const { intervals } = mixed;
  if (intervals !== undefined && (tried[0]! === 1 || intervals > dimensions))
    throw new PipelineError('bad-request', {
      got: `${String(intervals)} intervals of ${String(dimensions)} columns, and components ${tried.join(',')}`,
      expected: 'at most as many intervals as columns, and several components in each',
      where: 'intervals',
      remedy: 'Say how many components, without 1 (--components 2,4), and fewer intervals; or leave intervals out.',
    });
  if (intervals !== undefined && refit === true)
    throw new PipelineError('bad-request', {
      got: `a refit, and ${String(intervals)} intervals`,
      expected: 'a refit of one network or of one mixture',
      where: 'refit',
      remedy: 'Leave --refit or --intervals out.',
    });
  if (tried.at(-1)! > 1) {
    const { tying = 'auto', steps = 5, seed = 0 } = mixed;
    return { ...single, components: tried, tying, ...(intervals !== undefined && { intervals }), steps, seed };
  }
  // a seed is of the rows that are drawn too, and says nothing here
  for (const word of ['tying', 'steps'] as const)
    if (mixed[word] !== undefined)
      throw new PipelineError('bad-request', {
        got: `${word} ${String(mixed[word])}, and one component`,
        expected: `${word} only where several components are tried`,
        where: word,
        remedy: `Say how many (--components 2,4), or leave ${word} out.`,
      });
  return single;
}

function isSeveral(components: Parameters<typeof ascendingNumbers>[0]): boolean {
  return ascendingNumbers(components).at(-1)! > 1;
}
