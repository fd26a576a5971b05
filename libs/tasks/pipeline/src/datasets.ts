import { datasetFactsSchema, type DatasetFacts } from '@orchard/contracts';
import { BitMatrix, meanLogDensities } from '@orchard/dataset';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { artefactNames } from './artefact-names.js';
import { readDocument, sealedBytes } from './documents.js';
import { PipelineError } from './errors.js';

/** What is known of a matrix without its bits. */
export function factsOf(matrix: BitMatrix): DatasetFacts {
  const { rows, dimensions, names, shape } = matrix;
  const { document } = matrix.columns;
  return {
    id: matrix.contentHash(),
    rows,
    dimensions,
    names: names === null ? null : [...names],
    shape: shape === null ? null : [shape[0], shape[1]],
    ...(document !== null && {
      table: document.table,
      tailNats: [...document.tailNats],
      densityNats: densityNatsOf(matrix),
    }),
  };
}

/** What densities add to the log-probabilities of codes, over all rows. */
function densityNatsOf(matrix: BitMatrix): number {
  if (matrix.rows === 0) return 0;
  return matrix.rows * meanLogDensities(matrix).reduce((sum, nats) => sum + nats, 0);
}

/**
 * Stores a matrix under its content hash, first the bits, then what is known of them. The same data again heals what of
 * it was damaged: other bytes under a name that is their hash are not what was written.
 *
 * Another program may remove unregistered bits ({@link removeUnregistered}) in between: they are looked for at
 * the end, and stored again. One writes, then looks; the other deletes, then looks; so at least one sees the other.
 */
export async function registerDataset(store: ObjectStore, matrix: BitMatrix): Promise<DatasetFacts> {
  const facts = factsOf(matrix);
  await storeDataset(store, facts, new Uint8Array(matrix.buffer));
  return facts;
}

/**
 * As {@link registerDataset}, of a matrix whose facts are known: to hash gigabytes takes seconds, and is done once.
 *
 * @param bytes its buffer
 */
export async function storeDataset(store: ObjectStore, facts: DatasetFacts, bytes: Uint8Array): Promise<void> {
  const name = artefactNames.dataset(facts.id);
  const factsName = artefactNames.datasetFacts(facts.id);
  await putIntact(store, name, bytes);
  await putIntact(store, factsName, sealedBytes(facts));
  await store.delete(artefactNames.datasetDeletion(facts.id));
  if ((await store.head(name)) === null) await store.put(name, bytes);
}

async function putIntact(store: ObjectStore, name: string, bytes: Uint8Array): Promise<void> {
  try {
    if ((await store.put(name, bytes)) === 'created' || (await isStored(store, name, bytes))) return;
  } catch (error) {
    if (!isRefusal(error, 'conflict', 'damaged', 'missing')) throw error;
  }
  await store.delete(name);
  await store.put(name, bytes);
}

/** Bytes that are compared at once. */
const PIECE = 4 << 20;

/** Whether these bytes can be read: a store may say that they are there by a checksum that it keeps beside them. */
async function isStored(store: ObjectStore, name: string, bytes: Uint8Array): Promise<boolean> {
  for (let start = 0; start < bytes.length; start += PIECE) {
    const wanted = bytes.subarray(start, start + PIECE);
    const stored = await store.get(name, { start, end: start + wanted.length });
    if (Buffer.compare(stored, wanted) !== 0) return false;
  }
  return true;
}

/**
 * Removes the bits of a data set of which nothing is known: what an upload that was cut off leaves. Safe at any moment:
 * where the data set is registered meanwhile its bits are put back.
 *
 * @returns false where it is registered, or not there
 */
export async function removeUnregistered(store: ObjectStore, id: string): Promise<boolean> {
  const name = artefactNames.dataset(id);
  const isRegistered = async (): Promise<boolean> => (await store.head(artefactNames.datasetFacts(id))) !== null;
  if (await isRegistered()) return false;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await store.get(name);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  await store.delete(name);
  if (!(await isRegistered())) return true;
  await store.put(name, bytes);
  return false;
}

/** @throws PipelineError `missing-artefact` where no such data set was registered */
export async function datasetFacts(store: ObjectStore, id: string): Promise<DatasetFacts> {
  try {
    return await readDocument(store, artefactNames.datasetFacts(id), datasetFactsSchema);
  } catch (error) {
    throw isMissing(error) ? missingDataset(id, error) : error;
  }
}

/**
 * The matrix, its bits checked against its name.
 *
 * @throws PipelineError `missing-artefact`, `damaged-artefact`
 */
export async function loadDataset(store: ObjectStore, id: string): Promise<BitMatrix> {
  const name = artefactNames.dataset(id);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await store.get(name);
  } catch (error) {
    throw isMissing(error) ? missingDataset(id, error) : error;
  }
  // a matrix is a whole buffer: what a store hands out may be part of a larger one
  const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  const damaged = (got: string, cause?: unknown): PipelineError =>
    new PipelineError(
      'damaged-artefact',
      { got, expected: `the data set ${id}`, where: name, remedy: 'Delete this artefact and register the data again.' },
      { cause },
    );
  let matrix: BitMatrix;
  try {
    matrix = BitMatrix.from(whole);
  } catch (cause) {
    throw damaged('bytes that are no matrix', cause);
  }
  const hash = matrix.contentHash();
  if (hash !== id) throw damaged(`content ${hash}`);
  return matrix;
}

export function isMissing(error: unknown): boolean {
  return isRefusal(error, 'missing');
}

function missingDataset(id: string, cause: unknown): PipelineError {
  const remedy = 'Register the data set first.';
  return new PipelineError('missing-artefact', { got: 'nothing', expected: `data set ${id}`, remedy }, { cause });
}
