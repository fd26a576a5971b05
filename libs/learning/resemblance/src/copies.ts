import type { Rows } from './rows.js';

/** 1 for each row of `rows` that equals a row of `originals` in every column. */
export function copiesAmong(rows: Rows, originals: Rows): Uint8Array {
  const known = new Set(Array.from({ length: originals.count }, (_, row) => keyOf(originals, row)));
  return Uint8Array.from({ length: rows.count }, (_, row) => Number(known.has(keyOf(rows, row))));
}

/** Equal for rows whose values are all equal, and for no others. */
function keyOf({ columns }: Rows, row: number): string {
  let key = '';
  for (const { values } of columns) key += `${String(values[row]! + 0)},`;
  return key;
}
