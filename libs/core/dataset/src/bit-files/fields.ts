import { DatasetError } from '../errors.js';

const QUOTE = 34;
const SPACE = 32;

/** One field of a line. Filled anew by {@link nextField}, so that reading a line allocates nothing. */
export interface Field {
  /** First byte of the text: without quotes, and without spaces around it. */
  from: number;
  /** After the last byte of the text. */
  to: number;
  /** Whether doubled quotes within the text stand for one each. */
  doubled: boolean;
  /** After the field and its delimiter. */
  next: number;
}

/**
 * Finds the field that begins at `from`. Where `field.next > end` the line ends with it.
 * @returns false where a quote is not closed on its line or text follows it.
 */
export function nextField(bytes: Uint8Array, from: number, end: number, delimiter: number, field: Field): boolean {
  while (from < end && bytes[from] === SPACE) from++;
  field.doubled = false;
  let to = from;
  if (from < end && bytes[from] === QUOTE) {
    for (to = from + 1; to < end; to++) {
      if (bytes[to] !== QUOTE) continue;
      if (bytes[to + 1] !== QUOTE || to + 1 >= end) break;
      field.doubled = true;
      to++;
    }
    if (to >= end) return false;
    field.from = from + 1;
    field.to = to++;
    while (to < end && bytes[to] === SPACE) to++;
    field.next = to + 1;
    return to >= end || bytes[to] === delimiter;
  }
  while (to < end && bytes[to] !== delimiter) to++;
  field.next = to + 1;
  while (to > from && bytes[to - 1] === SPACE) to--;
  field.from = from;
  field.to = to;
  return true;
}

/** How many fields a line of at least one has, at most: delimiters in quotes count too. */
export function countFields(bytes: Uint8Array, from: number, to: number, delimiter: number): number {
  let count = 1;
  for (let i = from; i < to; i++) if (bytes[i] === delimiter) count++;
  return count;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a field. @throws DatasetError where it is not UTF-8. */
export function fieldText(bytes: Uint8Array, field: Field, where: () => string): string {
  const raw = bytes.subarray(field.from, field.to);
  try {
    const text = decoder.decode(raw);
    return field.doubled ? text.replaceAll('""', '"') : text;
  } catch (cause) {
    throw new DatasetError(
      'encoding',
      {
        got: `the bytes ${Buffer.from(raw.subarray(0, 20)).toString('hex')}`,
        expected: 'UTF-8',
        where: where(),
        remedy: 'Save the file as UTF-8.',
      },
      { cause },
    );
  }
}
