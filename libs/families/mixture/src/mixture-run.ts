import {
  ascendingNumbers,
  baseSpecificationShape,
  parseContract,
  seedSchema,
  severalNumbers,
} from '@orchard/contracts';
import { PipelineError, type Run } from '@orchard/pipeline';
import { z } from 'zod';

export const mixtureFamily = 'mixture';

/** A component is a rate a column, and every row is asked of every one. */
const MOST_COMPONENTS = 8192;
/** A tree's shares of all rows are in memory, and every pair of columns is looked at for every one. */
const MOST_TREES = 512;
const MOST_TRIED = 16;

const componentsSchema = z.int().min(1).max(MOST_COMPONENTS);
const pseudoCountSchema = z.number().min(1e-6).max(1e6);
const penaltySchema = z.number().min(1e-6).max(1e6);

/** What is tried, and how. */
export const mixtureWordsSchema = z.strictObject({
  of: z.enum(['products', 'trees']).optional().meta({
    description: 'components: products (independent columns) or trees (Chow-Liu trees of columns) (default: products)',
  }),
  components: severalNumbers(
    componentsSchema,
    MOST_TRIED,
    `components (K), or several for validation rows to choose from: whole numbers from 1 to ${String(MOST_COMPONENTS)} (trees: ${String(MOST_TREES)}), separated by commas (default: 32,128,512; hierarchy none: 8,32,128; trees: 4,16,64)`,
  ),
  pseudoCount: severalNumbers(
    pseudoCountSchema,
    MOST_TRIED,
    'weight of the overall distribution in each component, in rows, for hierarchy none and trees; several for validation rows to choose from: numbers from 0.000001 to 1000000, separated by commas (default: 0.1,1,10; trees: 1,10,100)',
  ),
  hierarchy: z.enum(['none', 'l2', 'l1']).optional().meta({
    description:
      'hierarchical shrinkage of components towards each other along a tree of clusters: by squares (l2), absolute values (l1) or none (default: l2; none with a pseudo-count or trees)',
  }),
  penalty: severalNumbers(
    penaltySchema,
    MOST_TRIED,
    'strength (lambda) of the hierarchy, or several for validation rows to choose from: numbers from 0.000001 to 1000000, separated by commas (default: 0.3,1,3)',
  ),
  restarts: z.int().min(1).max(64).optional().meta({
    description:
      'runs of EM from different starts, for each setting to choose from: a whole number from 1 to 64 (default: 1)',
  }),
  steps: z.int().min(1).max(100_000).optional().meta({
    description: 'most steps of one run of EM: a whole number from 1 to 100000 (default: 100)',
  }),
  seed: seedSchema.optional(),
});

export type MixtureWords = z.infer<typeof mixtureWordsSchema>;

export const mixtureSpecificationSchema = z.strictObject({
  family: z.literal(mixtureFamily),
  ...baseSpecificationShape,
  /** Of products not said: as before there was anything else. */
  of: z.literal('trees').optional(),
  components: z.array(componentsSchema).min(1).max(MOST_TRIED),
  ...mixtureWordsSchema.pick({ hierarchy: true, restarts: true, steps: true, seed: true }).required().shape,
  /** Empty where components are pulled to one another. */
  pseudoCount: z.array(pseudoCountSchema).max(MOST_TRIED),
  /** Empty where they are not. */
  penalty: z.array(penaltySchema).max(MOST_TRIED),
});

export type MixtureSpecification = z.infer<typeof mixtureSpecificationSchema>;

export function mixtureSpecification(run: Run): MixtureSpecification {
  return parseContract(mixtureSpecificationSchema, run.specification, 'run specification');
}

type WholeWords = Omit<MixtureSpecification, 'family' | 'train' | 'valid' | 'test' | 'numericsVersion'>;

/**
 * What words leave open; lists ascending, so that their order is not another run.
 *
 * @throws PipelineError `bad-request` for a word that the others have no use for
 */
export function wholeWords(words: MixtureWords): WholeWords {
  if (words.of === 'trees') return wordsOfTrees(words);
  const hierarchy = words.hierarchy ?? (words.pseudoCount === undefined ? 'l2' : 'none');
  const isShrunken = hierarchy !== 'none';
  const stranger = isShrunken ? 'pseudoCount' : 'penalty';
  if (words[stranger] !== undefined) throw refused(stranger, hierarchy);
  return {
    hierarchy,
    components: ascendingNumbers(words.components ?? (isShrunken ? [32, 128, 512] : [8, 32, 128])),
    pseudoCount: isShrunken ? [] : ascendingNumbers(words.pseudoCount ?? [0.1, 1, 10]),
    penalty: isShrunken ? ascendingNumbers(words.penalty ?? [0.3, 1, 3]) : [],
    restarts: words.restarts ?? 1,
    steps: words.steps ?? 100,
    seed: words.seed ?? 0,
  };
}

function wordsOfTrees(words: MixtureWords): WholeWords {
  const { hierarchy = 'none' } = words;
  const components = ascendingNumbers(words.components ?? [4, 16, 64]);
  const stranger = hierarchy === 'none' ? 'penalty' : 'hierarchy';
  if (stranger === 'hierarchy' || words.penalty !== undefined)
    throw new PipelineError('bad-request', {
      got: stranger === 'penalty' ? 'a penalty' : `the hierarchy ${hierarchy}`,
      expected: 'none of trees: only products are pulled to one another',
      where: stranger,
      remedy: 'Leave it out, or mix products.',
    });
  const most = components.at(-1)!;
  if (most > MOST_TREES)
    throw new PipelineError('bad-request', {
      got: `${String(most)} trees`,
      expected: `at most ${String(MOST_TREES)}`,
      where: 'components',
      remedy: 'Say fewer, or mix products.',
    });
  return {
    of: 'trees',
    hierarchy,
    components,
    pseudoCount: ascendingNumbers(words.pseudoCount ?? [1, 10, 100]),
    penalty: [],
    restarts: words.restarts ?? 1,
    steps: words.steps ?? 100,
    seed: words.seed ?? 0,
  };
}

function refused(word: 'pseudoCount' | 'penalty', hierarchy: string): PipelineError {
  const isPenalty = word === 'penalty';
  return new PipelineError('bad-request', {
    got: isPenalty ? 'a penalty' : 'a pseudo-count',
    expected: isPenalty ? 'none with the hierarchy none' : `none with the hierarchy ${hierarchy}, which has a penalty`,
    where: word,
    remedy: isPenalty ? 'Leave it out, or say hierarchy l2 or l1.' : 'Leave it out, or say hierarchy none.',
  });
}

/** One run of EM. */
export interface Candidate {
  readonly components: number;
  /** The pseudo-count, or where components are shrunk the penalty. */
  readonly strength: number;
  readonly restart: number;
}

/** All that a run tries, by number: of equally good ones the first is taken, which has fewest components. */
export function candidatesOf({
  components,
  pseudoCount,
  penalty,
  restarts,
}: MixtureSpecification): readonly Candidate[] {
  return components.flatMap((count) =>
    [...pseudoCount, ...penalty].flatMap((strength) =>
      Array.from({ length: restarts }, (_, restart) => ({ components: count, strength, restart })),
    ),
  );
}
