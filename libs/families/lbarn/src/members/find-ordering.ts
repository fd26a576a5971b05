import { permutationSchema } from '@orchard/contracts';
import { countPairs } from '@orchard/forests';
import { loadDataset, readDocument, writeDocument, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { lbarnNames } from '../artefacts/artefacts.js';
import { informedOrderings, MOST_PIVOTS, type InformedKind } from './informed-orderings.js';

/**
 * Words of 32 rows that are compared over all pairs at most: of more rows only every k-th is looked at. Part of what
 * orderings are.
 */
const MOST_WORDS = 2 ** 31;

/** An ordering that was found in the training rows. */
export const orderingDocumentSchema = z.strictObject({
  ordering: permutationSchema,
  /** Training rows that were looked at. */
  rows: z.int().min(1),
  /** What else was left out of it, in words; null where nothing was. */
  cut: z.string().nullable(),
});

export type OrderingDocument = z.infer<typeof orderingDocumentSchema>;

/**
 * Finds an ordering in the training rows and stores it, so that every machine has the same: validation rows choose
 * nothing but rounds. Again, or twice at once, it stores the same bytes.
 */
export async function findOrdering(store: ObjectStore, run: Run, kind: InformedKind): Promise<void> {
  const pairs = countPairs(await loadDataset(store, run.specification.train), MOST_WORDS);
  const ordering = Array.from(informedOrderings[kind](pairs));
  const isFactored = kind === 'entropy' || kind === 'entropy-rising';
  const cut =
    isFactored && ordering.length > MOST_PIVOTS
      ? `after the first ${MOST_PIVOTS} columns the others come by what is left of their variance then`
      : null;
  const document: OrderingDocument = { ordering, rows: pairs.rows, cut };
  await writeDocument(store, lbarnNames.ordering(run.id, kind), document);
}

/** @throws StorageError `missing` where it was not found yet; PipelineError `damaged-artefact` */
export function readOrdering(
  store: ObjectStore,
  { id }: Pick<Run, 'id'>,
  kind: InformedKind,
): Promise<OrderingDocument> {
  return readDocument(store, lbarnNames.ordering(id, kind), orderingDocumentSchema);
}
