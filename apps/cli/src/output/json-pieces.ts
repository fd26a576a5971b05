import { harmlessJson } from './harmless.js';

/** A list as JSON in pieces, of values that come batch by batch. */
export function* listInPieces(batches: Iterable<readonly unknown[]>): Generator<string, void> {
  let before = '[';
  for (const batch of batches) {
    if (batch.length === 0) continue;
    yield before + valuesAsJson(batch);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Values as they stand in a list. */
export function valuesAsJson(values: readonly unknown[]): string {
  return harmlessJson(values).slice(1, -1);
}

/** A piece of text as it stands in a string. */
export function textAsJson(text: string): string {
  return harmlessJson(text).slice(1, -1);
}
