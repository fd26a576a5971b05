import type { InformedKind } from '@orchard/contracts';
import { countPairs, informedOrderings, MOST_PIVOTS } from '@orchard/forests';
import { loadDataset, writeOrdering, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';

/**
 * Words of 32 rows that are compared over all pairs at most: of more rows only every k-th is looked at. Part of what
 * orderings are.
 */
const MOST_WORDS = 2 ** 31;

/**
 * Finds an ordering in the training rows and stores it, so that every machine has the same: validation rows choose
 * nothing but rounds.
 */
export async function findOrdering(store: ObjectStore, run: Run, kind: InformedKind): Promise<void> {
  const pairs = countPairs(await loadDataset(store, run.specification.train), MOST_WORDS);
  const ordering = Array.from(informedOrderings[kind](pairs));
  const isFactored = kind === 'entropy' || kind === 'entropy-rising';
  const cut =
    isFactored && ordering.length > MOST_PIVOTS
      ? `after the first ${MOST_PIVOTS} columns the others come by what is left of their variance then`
      : null;
  await writeOrdering(store, run, kind, { ordering, rows: pairs.rows, cut });
}
