import {
  baseSpecificationSchema,
  wantedSchema,
  canonicalJson,
  type BaseSpecification,
  type Wanted,
} from '@orchard/contracts';
import { z } from 'zod';

/**
 * A run's life, derived from its marks: one table for all of it.
 *
 * A client submits a run: it is `open`, and the reconciler sees to it that all its tasks get done. Where it is while it
 * is open (training, say) is not part of this table: the family's plan derives it from what is stored. When everything
 * that was asked for is stored the run is `done`; when nothing is left but what was given up, or something stored is
 * damaged, it has `failed`. It may be `cancelled` at any time while it is open. From each of these it is opened again
 * by asking for more: by submitting it again, resuming it, or selecting something else of it. Deleted, it is `deleting`
 * until the reconciler has removed all that it had stored, and then it is none again, and a submission starts anew.
 *
 * | mark \ standing | (none)  | open      | done     | failed   | cancelled | deleting |
 * |-----------------|---------|-----------|----------|----------|-----------|----------|
 * | submit          | open *  | open      | open     | open *   | open *    |          |
 * | select          |         | open      | open     | open     |           |          |
 * | cancel          |         | cancelled |          |          |           |          |
 * | resume          |         | open *    |          | open *   | open *    |          |
 * | delete          |         | deleting  | deleting | deleting | deleting  |          |
 * | removed         |         |           |          |          |           | (none)   |
 * | done            |         | done      |          |          |           |          |
 * | failed          |         | failed    |          |          |           |          |
 *
 * `*` begins an epoch: attempts and what was given up count within one, so that it is tried again. An empty cell
 * changes nothing: such a mark lost a race that its writer did not see.
 */
export const lifecycle: Readonly<Record<MarkKind, Readonly<Partial<Record<Standing | 'none', Cell>>>>> = {
  submit: { none: 'open*', open: 'open', done: 'open', failed: 'open*', cancelled: 'open*' },
  select: { open: 'open', done: 'open', failed: 'open' },
  cancel: { open: 'cancelled' },
  resume: { open: 'open*', failed: 'open*', cancelled: 'open*' },
  delete: { open: 'deleting', done: 'deleting', failed: 'deleting', cancelled: 'deleting' },
  removed: { deleting: 'none' },
  done: { open: 'done' },
  failed: { open: 'failed' },
};

export type Standing = 'open' | 'done' | 'failed' | 'cancelled' | 'deleting';
type Cell = Standing | 'open*' | 'none';

const stamp = {
  /** Tells marks apart that say the same. */
  id: z.string(),
  /** ISO 8601: for people, and no part of any artefact. */
  at: z.string(),
};

/** One thing that was decided about a run, by people or by the reconciler. */
export const markSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('submit'),
    ...stamp,
    /** Null where the life that goes on has said it: a specification may hold an ordering of all dimensions. */
    specification: baseSpecificationSchema.nullable(),
    choice: wantedSchema,
  }),
  z.strictObject({ kind: z.literal('select'), ...stamp, choice: wantedSchema }),
  /** `removed`: nothing of the run is stored any more but its marks. */
  z.strictObject({ kind: z.enum(['cancel', 'resume', 'delete', 'removed', 'done']), ...stamp }),
  z.strictObject({
    kind: z.literal('failed'),
    ...stamp,
    reason: z.string(),
    /** Stored objects that are not what was written: `repair` drops them. */
    damaged: z.array(z.string()).optional(),
  }),
]);

export type Mark = z.infer<typeof markSchema>;
export type MarkKind = Mark['kind'];
type Unstamped<M> = M extends Mark ? Omit<M, keyof typeof stamp> : never;
/** A mark to be made. */
export type Decision = Unstamped<Mark>;

export interface Life {
  readonly standing: Standing;
  /** Number of the mark that began it. */
  readonly epoch: number;
  readonly specification: BaseSpecification;
  /** All that was asked for in this life, in the order of asking. */
  readonly choices: readonly Wanted[];
  /** The one that was asked for last. */
  readonly choice: Wanted;
  readonly submittedAt: string;
  /** Why it has failed, and what of it is damaged. */
  readonly reason: string | null;
  readonly damaged: readonly string[];
}

/** Null where there is no such run: never submitted, or removed. @param marks by number, ascending */
export function lifeOf(marks: Iterable<readonly [number: number, mark: Mark]>): Life | null {
  let life: Life | null = null;
  for (const [number, mark] of marks) life = lifeAfter(life, mark, number);
  return life;
}

/** Whether a mark would change anything. */
export function isAllowed(life: Life | null, kind: MarkKind): boolean {
  return lifecycle[kind][life?.standing ?? 'none'] !== undefined;
}

/** What a mark makes of a life. */
export function lifeAfter(life: Life | null, mark: Mark, number: number): Life | null {
  const cell = lifecycle[mark.kind][life?.standing ?? 'none'];
  if (cell === undefined) return life;
  if (cell === 'none') return null;
  const standing = cell === 'open*' ? 'open' : cell;
  const epoch = cell === 'open*' ? number : life!.epoch;
  const [reason, damaged] = mark.kind === 'failed' ? [mark.reason, mark.damaged ?? []] : [null, []];
  const begun = { standing, epoch, reason, damaged };
  if (mark.kind === 'submit' && life === null) {
    const { specification, choice, at } = mark;
    if (specification === null) return life;
    return { ...begun, specification, choices: [choice], choice, submittedAt: at };
  }
  if (mark.kind !== 'submit' && mark.kind !== 'select') return { ...life!, ...begun };
  const { choice } = mark;
  const choices = life!.choices.some((known) => sameChoice(known, choice)) ? life!.choices : [...life!.choices, choice];
  return { ...life!, ...begun, choices, choice };
}

/** The data sets that a run needs. */
export function datasetsOf({ specification: { train, valid, test } }: Pick<Life, 'specification'>): readonly string[] {
  return [train, valid, test].filter((id) => id !== null);
}

export function sameChoice(a: Wanted, b: Wanted): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** Whether nothing that a status shows was decided between the two. */
export function sameAsking(a: Life, b: Life): boolean {
  const isSameLife = a.epoch === b.epoch && a.standing === b.standing;
  return isSameLife && a.choices.length === b.choices.length && sameChoice(a.choice, b.choice);
}
