import { baseSpecificationShape, parseContract, seedSchema } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import { z } from 'zod';

export const mixtureFamily = 'mixture';

/** A component is a rate a column, and every row is asked of every one. */
const MOST_COMPONENTS = 8192;
const MOST_TRIED = 16;

const componentsSchema = z.int().min(1).max(MOST_COMPONENTS);
const pseudoCountSchema = z.number().min(1e-6).max(1e6);

/** One number, or several: as a list, or as the command line writes it, with commas. */
function oneOrMore(number: z.ZodType<number>, description: string) {
  const list = z.array(number).min(1).max(MOST_TRIED);
  const isList = (text: string): boolean => list.safeParse(numbersIn(text)).success;
  return z
    .union([number, list, z.string().refine(isList, { error: description })])
    .optional()
    .meta({ description });
}

function numbersIn(text: string): number[] {
  return text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
}

/** What is tried, and how. */
export const mixtureWordsSchema = z.strictObject({
  components: oneOrMore(
    componentsSchema,
    `K, products that are mixed, or several to choose from: whole numbers from 1 to ${String(MOST_COMPONENTS)}, with commas (default: 8,32,128)`,
  ),
  pseudoCount: oneOrMore(
    pseudoCountSchema,
    'rows of the overall mean that each component is given beside its own, or several to choose from: numbers from 0.000001 to 1000000, with commas (default: 0.1,1,10)',
  ),
  restarts: z.int().min(1).max(64).optional().meta({
    description:
      'runs of EM for each K and pseudo-count, each from other rows: a whole number from 1 to 64 (default: 1)',
  }),
  steps: z.int().min(1).max(100_000).optional().meta({
    description: 'of one run of EM, at most: a whole number from 1 to 100000 (default: 100)',
  }),
  seed: seedSchema.optional(),
});

export type MixtureWords = z.infer<typeof mixtureWordsSchema>;

export const mixtureSpecificationSchema = z.strictObject({
  family: z.literal(mixtureFamily),
  ...baseSpecificationShape,
  components: z.array(componentsSchema).min(1).max(MOST_TRIED),
  pseudoCount: z.array(pseudoCountSchema).min(1).max(MOST_TRIED),
  ...mixtureWordsSchema.pick({ restarts: true, steps: true, seed: true }).required().shape,
});

export type MixtureSpecification = z.infer<typeof mixtureSpecificationSchema>;

export function mixtureSpecification(run: Run): MixtureSpecification {
  return parseContract(mixtureSpecificationSchema, run.specification, 'run specification');
}

/** What words leave open; lists ascending, so that their order is no other run. */
export function wholeWords(
  words: MixtureWords,
): Pick<MixtureSpecification, 'components' | 'pseudoCount' | 'restarts' | 'steps' | 'seed'> {
  return {
    components: ascending(words.components ?? [8, 32, 128]),
    pseudoCount: ascending(words.pseudoCount ?? [0.1, 1, 10]),
    restarts: words.restarts ?? 1,
    steps: words.steps ?? 100,
    seed: words.seed ?? 0,
  };
}

function ascending(said: number | readonly number[] | string): number[] {
  const numbers = typeof said === 'number' ? [said] : typeof said === 'string' ? numbersIn(said) : said;
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** One run of EM. */
export interface Candidate {
  readonly components: number;
  readonly pseudoCount: number;
  readonly restart: number;
}

/** All that a run tries, by number: of equally good ones the first is taken, which has fewest components. */
export function candidatesOf({ components, pseudoCount, restarts }: MixtureSpecification): readonly Candidate[] {
  return components.flatMap((count) =>
    pseudoCount.flatMap((rows) =>
      Array.from({ length: restarts }, (_, restart) => ({ components: count, pseudoCount: rows, restart })),
    ),
  );
}
