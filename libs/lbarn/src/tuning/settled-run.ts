import { AUTO, tunedLeavesSchema, tunedOrderingSchema, type TunedLeaves, type TunedOrdering } from '@orchard/contracts';
import { readDocument, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { lbarnNames } from '../artefacts.js';
import { askedRun, isSettled, lbarnRun, viewOf, type AskedRun, type LbarnRun } from '../lbarn-run.js';
import { orderingOfKind } from '../members/member-run.js';

/** What was found never changes: it is read once a run. */
const known = new WeakMap<Run, LbarnRun>();

/**
 * A run with all that it was to find for itself: the same as one that was told so, but for its id, and what was tried.
 *
 * @throws StorageError `missing` where it has not been found yet; PipelineError `damaged-artefact`
 * @throws Refusal `invalid-contract` for the specification of something else; PipelineError `bad-request` for an ordering of other length
 */
export async function settledRun(store: ObjectStore, given: Run): Promise<LbarnRun> {
  const run = askedRun(given);
  if (isSettled(run.specification)) return lbarnRun(given);
  const found = known.get(given);
  if (found !== undefined) return found;
  const leaves = run.specification.leaves === AUTO ? await readTunedLeaves(store, run) : null;
  const ordering = run.specification.ordering === AUTO ? await readTunedOrdering(store, run) : null;
  const settled = viewOf(
    run,
    {
      ...run.specification,
      leaves: leaves?.chosen ?? (run.specification.leaves as number),
      ordering:
        ordering === null
          ? (run.specification.ordering as 'natural' | number[])
          : await orderingOfKind(store, run, ordering.chosen),
    },
    { leaves, ordering },
  );
  known.set(given, settled);
  return settled;
}

/** @throws StorageError `missing`; PipelineError `damaged-artefact` */
export function readTunedLeaves(store: ObjectStore, { id }: AskedRun): Promise<TunedLeaves> {
  return readDocument(store, lbarnNames.settled(id, 'leaves'), tunedLeavesSchema);
}

/** @throws StorageError `missing`; PipelineError `damaged-artefact` */
export function readTunedOrdering(store: ObjectStore, { id }: AskedRun): Promise<TunedOrdering> {
  return readDocument(store, lbarnNames.settled(id, 'ordering'), tunedOrderingSchema);
}
