import type { Table, Variable } from '@orchard/contracts';
import { oncePer } from '@orchard/numerics';
import { codeCount, holeCode, valueCount } from './codes.js';
import { cellOf } from './cell-values.js';
import { setSumBits, sumBitsInOrdering, type SumInOrdering } from './column-sums.js';
import type { BitMatrix } from '../rows/bit-matrix.js';

/**
 * What other variables may split on: one bit of a binary variable, one bit a label of a categorical one, `code >= cut`
 * at each cut of an ordered one, and one bit an atom; and behind them, where training had missing values, one bit that
 * says "absent", with which all others are 0. An atom sets the bits of the cuts below it too.
 */
export function predictorCount(variable: Variable): number {
  const hole = holeCode(variable) === null ? 0 : 1;
  if (variable.kind === 'binary') return 1 + hole;
  if (variable.kind === 'categorical') return valueCount(variable) + 1 + hole;
  return variable.cuts.length + (variable.atoms?.values.length ?? 0) + hole;
}

/**
 * Where the predictor bits of each position begin, and behind the last one their end: length V + 1. The bits of a sum
 * of two columns stand behind those of the later one.
 */
export function predictorOffsets(table: Pick<Table, 'variables' | 'sums'>, ordering: ArrayLike<number>): Uint32Array {
  const offsets = new Uint32Array(ordering.length + 1);
  sumBitsInOrdering(table, ordering).forEach((ofSums, position) => {
    offsets[position + 1] = offsets[position]! + predictorCount(table.variables[ordering[position]!]!) + ofSums;
  });
  return offsets;
}

/** The bytes of a row that the bits of each code touch: those of code c are `ends[c - 1]` to `ends[c]`. */
interface CodeBytes {
  readonly ends: readonly number[];
  readonly places: readonly number[];
  readonly masks: readonly number[];
}

/** Rows may come one by one: it is made once for a variable and where its first bit lies in a byte. */
const bytesByShift = new WeakMap<Variable, (CodeBytes | undefined)[]>();

function codeBytes(variable: Variable, shift: number): CodeBytes {
  const byShift = bytesByShift.get(variable) ?? [];
  bytesByShift.set(variable, byShift);
  byShift[shift] ??= makeCodeBytes(variable, shift);
  return byShift[shift];
}

function makeCodeBytes(variable: Variable, shift: number): CodeBytes {
  const ends: number[] = [];
  const places: number[] = [];
  const masks: number[] = [];
  const { below, own } = setBitsOf(variable);
  for (let code = 0; code < own.length; code++) {
    const begun = places.length;
    const set = (bit: number): void => {
      const place = (shift + bit) >> 3;
      if (places.length === begun || places.at(-1) !== place) masks[places.push(place) - 1] = 0;
      masks[masks.length - 1]! |= 0x80 >> ((shift + bit) & 7);
    };
    for (let bit = 0; bit < below[code]!; bit++) set(bit);
    if (own[code]! >= 0) set(own[code]!);
    ends.push(places.length);
  }
  return { ends, places, masks };
}

/** Of each code the bits that are set, from the variable's first: so many as `below`, and `own` where it is not -1. */
export interface SetBits {
  readonly below: Uint16Array;
  readonly own: Int32Array;
}

/** Of each variable once: lines ask for it each time one variable is looked at for another. */
export const setBitsOf = oncePer((variable: Variable): SetBits => {
  const below = new Uint16Array(codeCount(variable));
  const own = new Int32Array(codeCount(variable)).fill(-1);
  if (variable.kind === 'binary') own[1] = 0;
  else if (variable.kind === 'categorical') for (let code = 0; code < own.length; code++) own[code] = code;
  else {
    // of "other" it is not known where it lies: it sets none
    const { values, cuts, atoms } = variable;
    const cutsBelow = (cell: number): number => cuts.reduce((count, cut) => (cell >= cut ? count + 1 : count), 0);
    for (let cell = 0; cell < values.length; cell++) below[cell] = cutsBelow(cell);
    for (const [atom, value] of (atoms?.values ?? []).entries()) {
      below[values.length + atom] = cutsBelow(cellOf(variable, value));
      own[values.length + atom] = cuts.length + atom;
    }
  }
  const hole = holeCode(variable);
  if (hole !== null) own[hole] = predictorCount(variable) - 1;
  return { below, own };
});

/** What the set bits of each code add up to, in the order of the bits. @param values one a predictor bit */
export function sumsByCode(variable: Variable, values: ArrayLike<number>): Float64Array {
  const { below, own } = setBitsOf(variable);
  let most = 0;
  for (let code = 0; code < below.length; code++) most = Math.max(most, below[code]!);
  const sums = new Float64Array(most + 1);
  for (let bit = 0; bit < most; bit++) sums[bit + 1] = sums[bit]! + values[bit]!;
  const byCode = new Float64Array(own.length);
  for (let code = 0; code < own.length; code++) {
    const bit = own[code]!;
    byCode[code] = sums[below[code]!]! + (bit < 0 ? 0 : values[bit]!);
  }
  return byCode;
}

/** Sets the predictor bits of one variable from its codes, from bit `first` of each row on; they are zero before. */
export function setPredictorBits(bits: BitMatrix, first: number, variable: Variable, codes: Uint16Array): void {
  const { bytes, stride } = bits;
  const { ends, places, masks } = codeBytes(variable, first & 7);
  for (let row = 0; row < codes.length; row++) {
    const start = row * stride + (first >> 3);
    const code = codes[row]!;
    for (let each = code === 0 ? 0 : ends[code - 1]!; each < ends[code]!; each++)
      bytes[start + places[each]!]! |= masks[each]!;
  }
}

/**
 * Sets all predictor bits of a position, those of the sums behind it too; they are zero before.
 *
 * @param first of the position's bits
 * @param codeAt the code of a row at an earlier position
 */
export function setBitsOfPosition(
  bits: BitMatrix,
  first: number,
  variable: Variable,
  sums: readonly SumInOrdering[],
  codes: Uint16Array,
  codeAt: (row: number, position: number) => number,
): void {
  setPredictorBits(bits, first, variable, codes);
  let from = first + predictorCount(variable);
  for (const sum of sums) {
    setSumBits(bits, from, sum, (row) => codeAt(row, sum.first), codes);
    from += sum.cuts.length;
  }
}
