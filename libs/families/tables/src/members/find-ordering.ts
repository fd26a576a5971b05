import type { PairOrderingKind } from '@orchard/contracts';
import { codeColumns, codePairs, PairGains, pairOrderings } from '@orchard/forests';
import { loadDataset, pausesOf, writeOrdering } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { TablesRun } from '../tables-run.js';

/**
 * Rows of all pairs that are looked at at most: of more rows only every k-th is. Part of what orderings are, so that
 * every machine finds the same. Earlier releases looked at more (`revision`), for minutes where rows are millions.
 */
const MOST_ROWS_OF_PAIRS = 2 ** 26;
const MOST_ROWS_BEFORE = 2 ** 30;
/** But no fewer than these. */
const FEWEST_ROWS = 1000;
/** Pseudo-rows, added to the counts of each pair. */
const ADDED = 4;

/**
 * Finds an ordering in the training rows and stores it: by pairs of variables, in groups of their values. O(V²), a
 * millisecond or more a pair, with pauses.
 *
 * @throws PipelineError `interrupted` where it is cancelled
 */
export async function findOrdering(
  store: ObjectStore,
  run: TablesRun,
  kind: PairOrderingKind,
  isCancelled: () => boolean,
): Promise<void> {
  const { table, specification } = run;
  const { rows, stride, bytes } = await loadDataset(store, specification.train);
  const columns = table.variables.length;
  const mostOfPairs = (specification.revision ?? 0) >= 4 ? MOST_ROWS_OF_PAIRS : MOST_ROWS_BEFORE;
  const most = Math.max(FEWEST_ROWS, Math.floor(mostOfPairs / Math.max(1, (columns * (columns - 1)) / 2)));
  const step = Math.max(1, Math.ceil(rows / most));
  const looked = codeColumns({ rows: Math.ceil(rows / step), stride: step * stride, bytes }, table);
  const gains = new PairGains(table, looked, looked, { added: ADDED, lent: 'auto' });
  const pause = pausesOf(isCancelled, `the ordering ${kind}`);
  for (const index of table.variables.keys()) {
    gains.look(index);
    await pause();
  }
  const ordering = Array.from(pairOrderings[kind](codePairs(table, looked, gains)));
  await writeOrdering(store, run, kind, { ordering, rows: Math.ceil(rows / step), cut: null });
}
