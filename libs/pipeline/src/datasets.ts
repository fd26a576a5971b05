import { datasetFactsSchema, type DatasetFacts } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { StorageError, type ObjectStore } from '@orchard/storage';
import { artefactNames } from './artefact-names.js';
import { readDocument, writeDocument } from './documents.js';
import { PipelineError } from './errors.js';

/** What is known of a matrix without its bits. */
export function factsOf(matrix: BitMatrix): DatasetFacts {
  const { rows, dimensions, names, shape } = matrix;
  return {
    id: matrix.contentHash(),
    rows,
    dimensions,
    names: names === null ? null : [...names],
    shape: shape === null ? null : [shape[0], shape[1]],
  };
}

/** Stores a matrix under its content hash, first the bits, then what is known of them. The same data again costs a look. */
export async function registerDataset(store: ObjectStore, matrix: BitMatrix): Promise<DatasetFacts> {
  const facts = factsOf(matrix);
  const factsName = artefactNames.datasetFacts(facts.id);
  if ((await store.head(factsName)) !== null) return facts;
  await store.put(artefactNames.dataset(facts.id), new Uint8Array(matrix.buffer));
  await writeDocument(store, factsName, facts);
  return facts;
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
  return error instanceof StorageError && error.code === 'missing';
}

function missingDataset(id: string, cause: unknown): PipelineError {
  const remedy = 'Register the data set first.';
  return new PipelineError('missing-artefact', { got: 'nothing', expected: `data set ${id}`, remedy }, { cause });
}
