import {
  permutationSchema,
  taskNames,
  type InformedKind,
  type OrderingKind,
  type RunWarning,
} from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { artefactNames } from './artefact-names.js';
import { readDocument, writeDocument } from './documents.js';
import { randomOrdering } from './random-ordering.js';
import type { Run } from './run.js';

/** The folder of the kind of task that finds an ordering in the training rows. */
export const orderingsFolder = 'orderings';

/** An ordering that was found in the training rows. */
export const orderingDocumentSchema = z.strictObject({
  ordering: permutationSchema,
  /** Training rows that were looked at. */
  rows: z.int().min(1),
  /** What else was left out of it, in words; null where nothing was. */
  cut: z.string().nullable(),
});

export type OrderingDocument = z.infer<typeof orderingDocumentSchema>;

export const orderingNames = {
  all: (run: string) => `${artefactNames.run(run)}${orderingsFolder}/`,
  of: (run: string, kind: InformedKind) => taskNames.artefact({ run, key: kind }, orderingsFolder),
} as const;

/** @throws StorageError `missing` where it was not found yet; PipelineError `damaged-artefact` */
export function readOrdering(
  store: ObjectStore,
  { id }: Pick<Run, 'id'>,
  kind: InformedKind,
): Promise<OrderingDocument> {
  return readDocument(store, orderingNames.of(id, kind), orderingDocumentSchema);
}

/** Again, or twice at once, it stores the same bytes. */
export async function writeOrdering(
  store: ObjectStore,
  { id }: Pick<Run, 'id'>,
  kind: InformedKind,
  document: OrderingDocument,
): Promise<void> {
  await writeDocument(store, orderingNames.of(id, kind), document);
}

/**
 * An ordering that looks at no rows.
 *
 * @param index distinguishes random orderings: a run's own is number 0
 */
export function plainOrdering(
  kind: Exclude<OrderingKind, InformedKind>,
  columns: number,
  seed: number,
  index = 0,
): number[] {
  if (kind === 'random') return randomOrdering(columns, seed, index);
  const natural = Array.from({ length: columns }, (_, position) => position);
  return kind === 'natural' ? natural : natural.reverse();
}

/** That an ordering was found by less than all there is. @param trainingRows of the run */
export function warningsOfOrdering(
  kind: InformedKind,
  { rows, cut }: OrderingDocument,
  trainingRows: number,
): RunWarning[] {
  const said = [
    ...(rows < trainingRows ? [`it was found in ${String(rows)} of the ${String(trainingRows)} training rows`] : []),
    ...(cut === null ? [] : [cut]),
  ];
  return said.length === 0 ? [] : [{ code: 'ordering-sampled', message: `Ordering ${kind}: ${said.join('; ')}.` }];
}
