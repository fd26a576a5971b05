import { canonicalJson, ContractError, parseContract } from '@orchard/contracts';
import type { ObjectStore, PutResult } from '@orchard/storage';
import { PipelineError } from './errors.js';

/** The schemas of contracts, as far as reading needs them. */
type Schema = Parameters<typeof parseContract>[0];
type Content<S extends Schema> = ReturnType<typeof parseContract<S>>;

/** The bytes of a stored document: canonical JSON in UTF-8 and a line feed. */
export function documentBytes(value: unknown): Uint8Array {
  return Buffer.from(`${canonicalJson(value)}\n`, 'utf8');
}

export function writeDocument(store: ObjectStore, name: string, value: unknown): Promise<PutResult> {
  return store.put(name, documentBytes(value));
}

/** @throws PipelineError `damaged-artefact`; StorageError `missing` */
export async function readDocument<S extends Schema>(store: ObjectStore, name: string, schema: S): Promise<Content<S>> {
  return parseDocument(await store.get(name), name, schema);
}

/** @throws PipelineError `damaged-artefact` */
export function parseDocument<S extends Schema>(bytes: Uint8Array, name: string, schema: S): Content<S> {
  try {
    return parseContract(schema, JSON.parse(Buffer.from(bytes).toString('utf8')), 'stored document');
  } catch (cause) {
    const got = cause instanceof ContractError ? `${cause.got} in ${cause.where ?? 'it'}` : 'no JSON';
    const expected = cause instanceof ContractError ? cause.expected : 'the document that was written';
    const remedy = 'Delete this artefact and run again: it is computed anew, to the same bytes.';
    throw new PipelineError('damaged-artefact', { got, expected, where: name, remedy }, { cause });
  }
}
