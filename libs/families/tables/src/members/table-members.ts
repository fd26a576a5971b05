import { foldsSchema, memberCountSchema, memberDefaults, tableOrderingKinds, tableSizeOf } from '@orchard/contracts';
import { PipelineError } from '@orchard/pipeline';
import { z } from 'zod';

const orderingsSchema = z
  .array(z.enum(tableOrderingKinds))
  .min(1)
  .max(1024)
  .meta({
    description: `orderings that the members take turns with: any of ${tableOrderingKinds.join(', ')}; not those by variance, which labels do not have`,
  });

/** The words that say how members of a table are made. */
export const memberWordsShape = {
  members: memberCountSchema.optional(),
  orderings: orderingsSchema.optional(),
  folds: foldsSchema.optional(),
} as const;

/**
 * The members of a run: member m has the ordering `orderings[m mod …]` and is validated by fold m mod `folds` of
 * training and validation rows together.
 */
export const tableMembersSchema = z.strictObject({
  count: memberCountSchema,
  orderings: orderingsSchema,
  folds: foldsSchema,
});

export type TableMembers = z.infer<typeof tableMembersSchema>;

/** Of more variables the default looks at no pairs: one thread would be at it while the others wait. */
const MOST_PAIRED_VARIABLES = 128;

/** Where rows are few one ordering is found and the others are drawn: pairs are known by chance (measured.md). */
const fewRowsOrderings = withDrawn('natural', 'reversed', 'greedy');
const fewWideOrderings = withDrawn('natural', 'reversed');

/** These, and drawn ones up to as many as the default has members at most. */
function withDrawn(...first: TableMembers['orderings']): TableMembers['orderings'] {
  return [...first, ...Array<'random'>(memberDefaults.members - first.length).fill('random')];
}

/** Fewer rows choose rounds by chance (measured.md). */
const ROWS_OF_FOLD = 125;

/** Of fewer folds a member learns from too few rows. */
const FEWEST_FOLDS = 4;

/**
 * How many folds are dealt where words do not say: the fewer the rows, the larger the share that validates a member, a
 * fourth at most.
 *
 * @param rows of training and validation together
 */
export function usualFolds(rows: number): number {
  const ofSize = Math.floor(rows / ROWS_OF_FOLD);
  return Math.min(rows, memberDefaults.folds, Math.max(FEWEST_FOLDS, ofSize));
}

interface MemberWords {
  readonly members?: number | undefined;
  readonly orderings?: TableMembers['orderings'] | undefined;
  readonly folds?: number | undefined;
  readonly ordering?: unknown;
}

/**
 * The members that words ask for; null where they ask for one model: for one member, say, in no orderings and folds of
 * its own.
 *
 * @param rows of training and validation together
 * @throws PipelineError `bad-request` for folds without rows, and for one ordering of all
 */
export function resolveMembers(words: MemberWords, rows: number, columns: number): TableMembers | null {
  const { members, orderings, folds, ordering } = words;
  if ((members ?? 1) === 1 && orderings === undefined && folds === undefined) return null;
  if (ordering !== undefined && ordering !== 'natural')
    throw refusal(
      'ordering',
      'an ordering of one model',
      'the orderings of members',
      'Name them by orderings instead.',
    );
  const dealt = folds ?? usualFolds(rows);
  if (dealt > rows)
    throw refusal(
      'folds',
      `${String(dealt)} folds of ${String(rows)} rows`,
      'at least one row in each',
      'Use fewer folds.',
    );
  return {
    count: members ?? orderings?.length ?? memberDefaults.members,
    orderings: [...(orderings ?? orderingsOf(rows, columns))],
    folds: dealt,
  };
}

function orderingsOf(rows: number, columns: number): TableMembers['orderings'] {
  const isWide = columns > MOST_PAIRED_VARIABLES;
  if (tableSizeOf(rows) === 'few') return isWide ? fewWideOrderings : fewRowsOrderings;
  return [...(isWide ? memberDefaults.wideOrderings : memberDefaults.orderings)];
}

function refusal(where: string, got: string, expected: string, remedy: string): PipelineError {
  return new PipelineError('bad-request', { got, expected, where, remedy });
}
