import { canonicalJson, parseContract } from '@orchard/contracts';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore, PutResult } from '@orchard/storage';
import { createHash } from 'node:crypto';
import { PipelineError } from './errors.js';

/** The schemas of contracts, as far as reading needs them. */
type Schema = Parameters<typeof parseContract>[0];
type Content<S extends Schema> = ReturnType<typeof parseContract<S>>;

/** The bytes of a document that people read as it is: canonical JSON in UTF-8 and a line feed. */
export function documentBytes(value: unknown): Uint8Array {
  return Buffer.from(`${canonicalJson(value)}\n`, 'utf8');
}

/**
 * The bytes of a document that only programs read: the same, and in a second line its SHA-256. A digit that is flipped
 * where the store keeps it would read as another number.
 */
export function sealedBytes(value: unknown): Uint8Array {
  const json = canonicalJson(value);
  return Buffer.from(`${json}\n${sealOf(json)}\n`, 'utf8');
}

export function writeDocument(store: ObjectStore, name: string, value: unknown): Promise<PutResult> {
  return store.put(name, sealedBytes(value));
}

/** @throws PipelineError `damaged-artefact`; StorageError `missing` */
export async function readDocument<S extends Schema>(store: ObjectStore, name: string, schema: S): Promise<Content<S>> {
  return parseDocument(await store.get(name), name, schema);
}

/** Of a document with its seal, or of one without. @throws PipelineError `damaged-artefact` */
export function parseDocument<S extends Schema>(bytes: Uint8Array, name: string, schema: S): Content<S> {
  try {
    const [json = '', seal = ''] = Buffer.from(bytes).toString('utf8').split('\n');
    if (seal !== '' && seal !== sealOf(json)) throw new RangeError('the document does not fit its seal');
    return parseContract(schema, JSON.parse(json), 'stored document');
  } catch (cause) {
    const isOther = isRefusal(cause, 'invalid-contract');
    const unsealed = cause instanceof RangeError ? 'bytes that do not fit their SHA-256' : 'no JSON';
    const got = isOther ? `${cause.got} in ${cause.where ?? 'it'}` : unsealed;
    const expected = isOther ? cause.expected : 'the document that was written';
    const remedy = 'Delete this artefact and run again: it is computed anew, to the same bytes.';
    throw new PipelineError('damaged-artefact', { got, expected, where: name, remedy }, { cause });
  }
}

function sealOf(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}
