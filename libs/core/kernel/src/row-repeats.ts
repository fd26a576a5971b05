/** Rows of so many bytes each. */
export interface RowBytes {
  readonly bytes: Uint8Array;
  readonly stride: number;
}

/** Rows that stand fewer times than that are taken for rows that stand once. */
const LEAST_REPEATS = 1.5;

/**
 * How often a row stands, as rows do that count by whole weights: how many equal ones stand one after another, averaged
 * over the rows, in units of what the same rows would have in an order of chance. 1 where that is about as many: rows
 * of few values are equal by chance, and each tells as much as any other.
 *
 * @param inOrder rows as they were read
 * @param sorted the same rows, sorted
 */
export function rowRepeats(inOrder: RowBytes, sorted: () => RowBytes): number {
  const rows = inOrder.bytes.length / inOrder.stride;
  if (rows < 2) return 1;
  const found = summedSquares(inOrder) / rows;
  if (found < LEAST_REPEATS) return 1;
  const byChance = (summedSquares(sorted()) - rows) / (rows * (rows - 1));
  // stretches of rows of which each is equal to the one before by that chance
  const repeats = (found * (1 - byChance)) / (1 + byChance);
  return repeats < LEAST_REPEATS ? 1 : repeats;
}

/** Of all stretches of equal rows their squared lengths. */
function summedSquares({ bytes, stride }: RowBytes): number {
  let squares = 0;
  let length = 0;
  for (let at = 0; at < bytes.length; at += stride) {
    if (length > 0 && !isLikeBefore(bytes, at, stride)) {
      squares += length * length;
      length = 0;
    }
    length++;
  }
  return squares + length * length;
}

function isLikeBefore(bytes: Uint8Array, at: number, stride: number): boolean {
  for (let byte = at; byte < at + stride; byte++) if (bytes[byte] !== bytes[byte - stride]) return false;
  return true;
}
