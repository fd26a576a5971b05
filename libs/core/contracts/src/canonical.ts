import { createHash } from 'node:crypto';

/**
 * JSON with one spelling for each value: keys sorted by UTF-16 code unit, no white space, absent where `undefined`.
 * Numbers are written as ECMAScript writes them (shortest digits that read back the same bits), -0 as 0.
 *
 * @throws RangeError for what JSON cannot say: NaN, infinities, functions
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`JSON has no ${value}`);
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new RangeError(`JSON has no ${typeof value}`);
  return text;
}

/** SHA-256 in hex of the canonical JSON of `value`, in UTF-8: the name of what says the same. */
export function contentId(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
