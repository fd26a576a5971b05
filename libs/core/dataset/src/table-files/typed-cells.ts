import type { RawCell } from './raw-table.js';

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
