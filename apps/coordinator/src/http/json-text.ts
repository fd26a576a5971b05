import { CoordinatorError } from '../errors.js';
import { isDeeper } from './json-depth.js';

/** Lists and objects within each other; the API's own documents need four. */
export const DEEPEST = 64;

/** What a byte of JSON becomes in memory at most (`{}` and its comma are 67), with the text itself twice. Measured. */
export const MEMORY_A_BYTE = 25;

/** A JSON document in UTF-8. @throws CoordinatorError `invalid-request` */
export function parseJson(text: Uint8Array): unknown {
  if (isDeeper(text, DEEPEST)) throw noJson(`JSON of more than ${DEEPEST} lists and objects within each other`);
  try {
    return JSON.parse(new TextDecoder().decode(text)) as unknown;
  } catch (error) {
    const { message } = error as Error;
    throw noJson(`no JSON (${message.slice(0, 120)})`, error);
  }
}

export function noJson(got: string, cause?: unknown): CoordinatorError {
  const input = { got, expected: 'one JSON document', where: 'body', remedy: 'Correct the body.' };
  return new CoordinatorError('invalid-request', input, { cause });
}
