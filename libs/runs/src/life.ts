import type { NetworkChoice, RunSpecification } from '@orchard/contracts';
import type { Mark, MarkKind } from './marks.js';

/**
 * A run's life, as its marks tell it.
 *
 * Somebody submits a run: it is `open`, and the reconciler sees to it that all its work gets done. When every network that
 * was asked for is stored it is `done`; when nothing is left but what was quarantined it has `failed`. It may be `cancelled`
 * at any time while it is open. From each of these it is opened again by asking for more: by submitting it again, resuming
 * it, or selecting another network. Deleted, it is `deleting` until the reconciler has removed all that it had stored, and
 * then `deleted`, from where a submission starts anew.
 *
 * | mark \ standing | (none)  | open      | done     | failed   | cancelled | deleting | deleted |
 * |-----------------|---------|-----------|----------|----------|-----------|----------|---------|
 * | submit          | open *  | open      | open     | open *   | open *    |          | open *  |
 * | select          |         | open      | open     | open     |           |          |         |
 * | cancel          |         | cancelled |          |          |           |          |         |
 * | resume          |         | open *    |          | open *   | open *    |          |         |
 * | delete          |         | deleting  | deleting | deleting | deleting  |          |         |
 * | removed         |         |           |          |          |           | deleted  |         |
 * | done            |         | done      |          |          |           |          |         |
 * | failed          |         | failed    |          |          |           |          |         |
 *
 * `*` begins an epoch: attempts and quarantine count within one, so that what was given up is tried again. An empty cell
 * changes nothing: such a mark lost a race that its writer did not see.
 */
const table: Readonly<Record<MarkKind, Readonly<Partial<Record<Standing | 'none', Cell>>>>> = {
  submit: { none: 'open*', open: 'open', done: 'open', failed: 'open*', cancelled: 'open*', deleted: 'open*' },
  select: { open: 'open', done: 'open', failed: 'open' },
  cancel: { open: 'cancelled' },
  resume: { open: 'open*', failed: 'open*', cancelled: 'open*' },
  delete: { open: 'deleting', done: 'deleting', failed: 'deleting', cancelled: 'deleting' },
  removed: { deleting: 'deleted' },
  done: { open: 'done' },
  failed: { open: 'failed' },
};

export type Standing = 'open' | 'done' | 'failed' | 'cancelled' | 'deleting' | 'deleted';
type Cell = Standing | 'open*';

export interface Life {
  readonly standing: Standing;
  /** Number of the mark that began it. */
  readonly epoch: number;
  readonly specification: RunSpecification;
  /** All networks that were asked for in this life, in the order of asking. */
  readonly choices: readonly NetworkChoice[];
  /** The one that was asked for last. */
  readonly choice: NetworkChoice;
  readonly submittedAt: string;
  /** Why it has failed. */
  readonly reason: string | null;
  /** How many marks there are: the number of the next. */
  readonly marks: number;
}

/** Null where the run was never submitted. */
export function lifeOf(marks: readonly Mark[]): Life | null {
  let life: Life | null = null;
  for (const [number, mark] of marks.entries()) life = after(life, mark, number);
  return life === null ? null : { ...life, marks: marks.length };
}

/** What a mark would make of a life: null where it would change nothing. */
export function cellOf(life: Life | null, kind: MarkKind): Standing | null {
  const cell = table[kind][life?.standing ?? 'none'];
  return cell === 'open*' ? 'open' : (cell ?? null);
}

function after(life: Life | null, mark: Mark, number: number): Life | null {
  const cell = table[mark.kind][life?.standing ?? 'none'];
  if (cell === undefined) return life;
  const standing = cell === 'open*' ? 'open' : cell;
  const epoch = cell === 'open*' ? number : life!.epoch;
  const reason = mark.kind === 'failed' ? mark.reason : null;
  const begun = { standing, epoch, reason, marks: number + 1 };
  if (mark.kind === 'submit' && (life === null || life.standing === 'deleted')) {
    const { specification, choice, at } = mark;
    return { ...begun, specification, choices: [choice], choice, submittedAt: at };
  }
  if (mark.kind !== 'submit' && mark.kind !== 'select') return { ...life!, ...begun };
  const { choice } = mark;
  const choices = life!.choices.some((known) => sameChoice(known, choice)) ? life!.choices : [...life!.choices, choice];
  return { ...life!, ...begun, choices, choice };
}

export function sameChoice(a: NetworkChoice, b: NetworkChoice): boolean {
  return a.selection === b.selection && a.refit === b.refit;
}
