import { ModelError } from '../errors.js';

/** The refusal of bytes that are not a model file, or no longer. */
export function damaged(where: string, got: string, expected: string, cause?: unknown): ModelError {
  const remedy = 'Get the file again from where it was made.';
  return new ModelError('not-a-network-file', { got, expected, where, remedy }, cause === undefined ? {} : { cause });
}

/** A short form of any decoded value, for messages. */
export function shown(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return value instanceof Uint8Array ? `${value.length} bytes` : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
