import type { OrderedVariable, Table, Variable } from '@orchard/contracts';

/** Cells and atoms, or labels: the codes that stand for known values. */
export function valueCount(variable: Variable): number {
  if (variable.kind !== 'ordered') return variable.labels.length;
  return variable.values.length + (variable.atoms?.values.length ?? 0);
}

/** The one value that a code stands for; null where it stands for many, or for none. */
export function ownValue({ values, atoms }: OrderedVariable, code: number): number | null {
  return values[code] ?? atoms?.values[code - values.length] ?? null;
}

/** The code of all values that training did not distinguish, or null where there is none. */
export function otherCode(variable: Variable): number | null {
  if (variable.kind === 'binary' && variable.others === undefined) return null;
  return variable.kind === 'ordered' && variable.measure === 'density' ? null : valueCount(variable);
}

/** The code of absence, the last one; null where training had no missing values. */
export function holeCode(variable: Variable): number | null {
  if (variable.holes === 0) return null;
  return otherCode(variable) === null ? valueCount(variable) : valueCount(variable) + 1;
}

/** Codes of a variable: 0 to one less. */
export function codeCount(variable: Variable): number {
  return (holeCode(variable) ?? otherCode(variable) ?? valueCount(variable) - 1) + 1;
}

/** Bits that a code takes in a row, most significant first: at least one. */
export function codeBits(variable: Variable): number {
  return Math.max(1, 32 - Math.clz32(codeCount(variable) - 1));
}

/** Where the codes of the variables begin in a row, and behind the last one its end: length V + 1. */
export function codeOffsets({ variables }: Pick<Table, 'variables'>): Uint32Array {
  const offsets = new Uint32Array(variables.length + 1);
  variables.forEach((variable, index) => {
    offsets[index + 1] = offsets[index]! + codeBits(variable);
  });
  return offsets;
}

interface Bits {
  readonly rows: number;
  readonly stride: number;
  readonly bytes: Uint8Array;
}

/**
 * The codes of one variable of all rows, whose bits are `from` to `to - 1`. O(rows): a code has at most 16 bits, which
 * lie in three bytes.
 */
export function readCodes({ rows, stride, bytes }: Bits, from: number, to: number): Uint16Array {
  const codes = new Uint16Array(rows);
  const first = from >> 3;
  const end = (from & 7) + to - from;
  const mask = 2 ** (to - from) - 1;
  // a loop for each number of bytes: asked of every row, it takes as long as the rest
  if (end <= 8) {
    for (let row = 0, at = first; row < rows; row++, at += stride) codes[row] = (bytes[at]! >> (8 - end)) & mask;
  } else if (end <= 16) {
    for (let row = 0, at = first; row < rows; row++, at += stride) {
      const word = (bytes[at]! << 8) | bytes[at + 1]!;
      codes[row] = (word >> (16 - end)) & mask;
    }
  } else {
    for (let row = 0, at = first; row < rows; row++, at += stride) {
      const word = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
      codes[row] = (word >> (24 - end)) & mask;
    }
  }
  return codes;
}

/** Writes one code over bits that are zero. */
export function writeCode({ stride, bytes }: Bits, row: number, from: number, to: number, code: number): void {
  const at = row * stride + (from >> 3);
  const end = (from & 7) + to - from;
  const word = code << (24 - end);
  bytes[at]! |= word >> 16;
  if (end > 8) bytes[at + 1]! |= (word >> 8) & 0xff;
  if (end > 16) bytes[at + 2]! |= word & 0xff;
}

/**
 * Writes the codes of some rows of a column, `codes[chosen[i]]`, to the rows from `first` on, over bits that are zero;
 * numbers below 0 are not codes and leave them so.
 *
 * @returns whether all are codes
 */
export function writeCodes(
  { stride, bytes }: Bits,
  first: number,
  from: number,
  to: number,
  codes: Int32Array,
  chosen: Uint32Array,
): boolean {
  const end = (from & 7) + to - from;
  const shift = 24 - end;
  let isWhole = true;
  for (let i = 0, at = first * stride + (from >> 3); i < chosen.length; i++, at += stride) {
    const code = codes[chosen[i]!]!;
    if (code < 0) {
      isWhole = false;
      continue;
    }
    const word = code << shift;
    bytes[at]! |= word >> 16;
    if (end > 8) bytes[at + 1]! |= (word >> 8) & 0xff;
    if (end > 16) bytes[at + 2]! |= word & 0xff;
  }
  return isWhole;
}
