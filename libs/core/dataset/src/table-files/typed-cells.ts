import { DatasetError } from '../errors.js';
import { withWord, type OptionWord } from '../reading/option-words.js';
import type { RawCell } from './raw-table.js';
import type { TableOptionName } from './table-options.js';

/** A value of a typed file as a cell: NaN is a missing value, and a whole number that no number holds is its digits. */
export function cellOf(value: unknown): RawCell {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isNaN(value) ? null : value;
    case 'bigint':
      return wholeNumber(value);
    default:
      if (value === null || value === undefined) return null;
      throw new TypeError(`a cell may not be ${Object.prototype.toString.call(value)}`);
  }
}

function wholeNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

const strict = new TextDecoder('utf-8', { fatal: true });
/** A column, for messages. */
export interface ColumnPlace {
  readonly where: string;
  readonly wordFor: OptionWord<TableOptionName>;
}

/** Bytes of a text that a message shows. */
const SHOWN_BYTES = 24;

/**
 * The text that bytes of a typed file are.
 *
 * @throws DatasetError with code `encoding` where they are not UTF-8: signs in their place could make two words one
 */
export function textOf(bytes: Uint8Array, { where, wordFor }: ColumnPlace): string {
  try {
    return strict.decode(bytes);
  } catch (cause) {
    const shown = Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString('latin1');
    throw new DatasetError(
      'encoding',
      {
        got: `bytes that are not UTF-8, as in ${JSON.stringify(shown)} if it is Latin-1`,
        expected: 'texts in UTF-8',
        where,
        remedy: `Write the column as UTF-8, or ${withWord(wordFor, 'say that it is excluded', 'types')}.`,
      },
      { cause },
    );
  }
}
