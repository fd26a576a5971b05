import { ModelError } from '../errors.js';

/** A plain JSON value: what the run's specification is made of. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

const DEEPEST = 32;

/**
 * A copy whose objects have their keys in the order of UTF-16 code units, so that equal values are written as equal
 * bytes.
 * @throws ModelError `invalid-network` for what JSON cannot hold, ill-formed text, a key `__proto__`, or nesting beyond
 *   32
 */
export function sortedJson(value: unknown, where = 'specification', depth = 0): JsonValue {
  const refuse = (got: string, expected: string): never => {
    throw new ModelError('invalid-network', { got, expected, where, remedy: 'Give the run as plain JSON.' });
  };
  if (depth > DEEPEST) refuse('deeper nesting', `at most ${DEEPEST} levels`);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(String(value), 'a finite number');
    return value === 0 ? 0 : value;
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) refuse('a lone surrogate', 'well-formed text');
    return value;
  }
  if (Array.isArray(value)) return value.map((item, index) => sortedJson(item, `${where}[${index}]`, depth + 1));
  if (typeof value !== 'object' || ![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)) {
    return refuse(typeof value === 'object' ? 'an object of a class' : `a ${typeof value}`, 'a plain JSON value');
  }
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort()) {
    if (key === '__proto__' || !key.isWellFormed()) refuse(`the key ${JSON.stringify(key)}`, 'another name');
    result[key] = sortedJson((value as Record<string, unknown>)[key], `${where}.${key}`, depth + 1);
  }
  return result;
}
