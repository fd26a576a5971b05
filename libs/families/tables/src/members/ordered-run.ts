import { isInformed, type InformedKind, type OrderingKind } from '@orchard/contracts';
import { readOrdering, type OrderingDocument, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { orderingOf, tablesRun, type TablesRun } from '../tables-run.js';

/** The kinds of orderings that a run has to find in its training rows. */
export function kindsToFind({ specification: { ordering, members } }: TablesRun): readonly InformedKind[] {
  const ofOne: readonly OrderingKind[] = typeof ordering === 'string' ? [ordering] : [];
  const kinds = members?.orderings.slice(0, members.count) ?? ofOne;
  return [...new Set(kinds)].filter((kind) => isInformed(kind));
}

/** What was found never changes: it is read once a run. */
const orderedRuns = new WeakMap<Run, TablesRun>();

/**
 * The run with the orderings that it was to find.
 *
 * @throws StorageError `missing` where one is not found yet; PipelineError `damaged-artefact`
 */
export async function orderedRun(store: ObjectStore, run: Run): Promise<TablesRun> {
  const own = tablesRun(run);
  const kinds = kindsToFind(own);
  if (kinds.length === 0) return own;
  const before = orderedRuns.get(run);
  if (before !== undefined) return before;
  const found = new Map<InformedKind, OrderingDocument>();
  for (const kind of kinds) found.set(kind, await readOrdering(store, run, kind));
  const ordering = orderingOf(own.specification.ordering, own.table, found);
  const ordered: TablesRun = { ...own, ordering, found };
  orderedRuns.set(run, ordered);
  return ordered;
}

/**
 * A run that trains or makes a model has its orderings: where others only count and measure, the natural one stands in
 * for those that are not found.
 */
export function requireOrderings(run: TablesRun): void {
  const missing = kindsToFind(run).find((kind) => !run.found.has(kind));
  if (missing !== undefined) throw new Error(`the run ${run.id} has its ordering ${missing} to find first`);
}
