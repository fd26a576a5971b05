import {
  isInformed,
  memberOfTask,
  type MemberNetwork,
  type MemberOptions,
  type OrderingKind,
  type SettledSpecification,
  type Task,
} from '@orchard/contracts';
import { foldSizes, memberSeed, plainOrdering, readOrdering } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { oncePer } from '@orchard/numerics';
import type { AskedRun, LbarnRun } from '../run/lbarn-run.js';

/** How the members of a run are made. @throws Error for a run of one network, which has none */
export function memberOptions({
  id,
  specification: { members },
}: {
  readonly id: string;
  readonly specification: Pick<SettledSpecification, 'members'>;
}): MemberOptions {
  if (members === undefined) throw new Error(`the run ${id} has no members`);
  return members;
}

/** The networks that the first `count` members of a run are made of. */
export function networksOf({ committee, folds }: MemberOptions, count: number): MemberNetwork[] {
  return Array.from({ length: count }, (_, member) => networksOfMember({ committee, folds }, member)).flat();
}

export function networksOfMember(
  { committee, folds }: Omit<MemberOptions, 'orderings'>,
  member: number,
): MemberNetwork[] {
  if (committee !== true) return [{ member, network: null }];
  return Array.from({ length: folds }, (_, network) => ({ member, network }));
}

export function orderingKindOf({ orderings }: MemberOptions, member: number): OrderingKind {
  return orderings[member % orderings.length]!;
}

export function foldOf({ folds }: MemberOptions, { member, network }: MemberNetwork): number {
  return network ?? member % folds;
}

/** Views never change: what is asked of a run again and again is worked out once. */
const viewsOf = oncePer<LbarnRun, Map<string, LbarnRun>>(() => new Map());

/**
 * One network of a member, as a run of its own: with its ordering, its fold of the training and validation rows
 * together, and a seed of its own. All three are functions of the run's specification and of which network it is,
 * however many are wanted. The task that its artefacts are named by is the run's.
 *
 * @throws StorageError `missing` where the ordering looks at data and has not been found yet
 */
export async function memberRun(store: ObjectStore, run: LbarnRun, of: MemberNetwork): Promise<LbarnRun> {
  const views = viewsOf(run);
  const name = `${of.member}.${of.network ?? ''}`;
  const found = views.get(name);
  if (found !== undefined) return found;
  const { specification, datasets } = run;
  const options = memberOptions(run);
  const { train, valid } = datasets;
  const fold = { fold: foldOf(options, of), folds: options.folds, seed: specification.seed };
  const sizes = foldSizes(train.rows + valid.rows, fold);
  const kind = orderingKindOf(options, of.member);
  const ordering = Uint32Array.from(await orderingOfKind(store, run, kind, of.member + 1));
  const positions = new Uint32Array(ordering.length);
  ordering.forEach((dimension, position) => {
    positions[dimension] = position;
  });
  const view: LbarnRun = {
    id: run.id,
    family: run.family,
    specification: { ...specification, ordering: Array.from(ordering), seed: seedOf(specification.seed, options, of) },
    datasets: { ...datasets, train: { ...train, rows: sizes.train }, valid: { ...valid, rows: sizes.valid } },
    ordering,
    positions,
    of,
    fold,
    tuned: run.tuned,
    orderedBy: null,
  };
  views.set(name, view);
  return view;
}

/** The run as a task sees it: the whole, or the network that the task is about. */
export async function runOfTask(store: ObjectStore, run: LbarnRun, task: Task): Promise<LbarnRun> {
  const own = memberOfTask(task);
  return own === null ? run : memberRun(store, run, { member: own.member, network: own.network });
}

/**
 * The ordering that a kind means for a run.
 *
 * @param index distinguishes random orderings: a run's own is number 0
 * @throws StorageError `missing` where it looks at data and has not been found yet
 */
export async function orderingOfKind(
  store: ObjectStore,
  { id, datasets, specification: { seed } }: Pick<AskedRun, 'id' | 'datasets'> & { specification: { seed: number } },
  kind: OrderingKind,
  index = 0,
): Promise<number[]> {
  if (isInformed(kind)) return (await readOrdering(store, { id }, kind)).ordering;
  return plainOrdering(kind, datasets.train.dimensions, seed, index);
}

function seedOf(seed: number, { committee, folds }: MemberOptions, { member, network }: MemberNetwork): number {
  const index = committee === true ? member * folds + network! : member;
  return memberSeed(seed, index);
}
