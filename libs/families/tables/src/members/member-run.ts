import { isInformed } from '@orchard/contracts';
import { totalsBeforeParts } from '@orchard/dataset';
import { foldSizes, memberSeed, plainOrdering, type Fold } from '@orchard/pipeline';
import { oncePer } from '@orchard/numerics';
import { orderingOf, type TablesRun } from '../tables-run.js';
import type { TableMembers } from './table-members.js';

/** Views never change: what is asked of a run again and again is worked out once. */
const madeViews = oncePer<TablesRun, Map<number, TablesRun>>(() => new Map());

/** How many members a run mixes, and how; null where it is one model. */
export function membersOf({ specification: { members } }: TablesRun): TableMembers | null {
  return members ?? null;
}

/** What a run trains: itself, or its members. */
export function viewsOf(run: TablesRun): readonly TablesRun[] {
  const members = membersOf(run);
  return members === null ? [run] : Array.from({ length: members.count }, (_, member) => viewOf(run, member));
}

/**
 * A member as a run of its own: with its ordering, its fold of the training and validation rows together, and a seed of
 * its own. All three are functions of the run's specification and the member's number alone. The run itself where no
 * member is meant.
 */
export function viewOf(run: TablesRun, member: number | null): TablesRun {
  const members = membersOf(run);
  if (member === null || members === null) return run;
  const views = madeViews(run);
  const found = views.get(member);
  if (found !== undefined) return found;
  const { specification, datasets } = run;
  const { train, valid } = datasets;
  const fold: Fold = { fold: member % members.folds, folds: members.folds, seed: specification.seed };
  const sizes = foldSizes(train.rows + valid.rows, fold);
  const view: TablesRun = {
    ...run,
    specification: { ...specification, seed: memberSeed(specification.seed, member) },
    datasets: { ...datasets, train: { ...train, rows: sizes.train }, valid: { ...valid, rows: sizes.valid } },
    ordering: orderingOfMember(run, members, member),
    member,
    fold,
  };
  views.set(member, view);
  return view;
}

/** Random orderings are distinguished by their member; a run's own is number 0. */
function orderingOfMember({ specification, table, found }: TablesRun, { orderings }: TableMembers, member: number) {
  const kind = orderings[member % orderings.length]!;
  return isInformed(kind)
    ? orderingOf(kind, table, found)
    : Uint32Array.from(
        totalsBeforeParts(table, plainOrdering(kind, table.variables.length, specification.seed, member + 1)),
      );
}
