import type { Table, Variable } from '@orchard/contracts';
import { codeCount, codeOffsets, holeCode, otherCode, readCodes, valueCount } from './codes.js';
import { cellOf } from './cell-values.js';
import { BitMatrix } from '../rows/bit-matrix.js';

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

/** Where the predictor bits of the variables begin, and behind the last one their end: length V + 1. */
export function predictorOffsets({ variables }: Pick<Table, 'variables'>): Uint32Array {
  const offsets = new Uint32Array(variables.length + 1);
  variables.forEach((variable, index) => {
    offsets[index + 1] = offsets[index]! + predictorCount(variable);
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
const known = new WeakMap<Variable, (CodeBytes | undefined)[]>();

function codeBytes(variable: Variable, shift: number): CodeBytes {
  const byShift = known.get(variable) ?? [];
  known.set(variable, byShift);
  byShift[shift] ??= makeCodeBytes(variable, shift);
  return byShift[shift];
}

function makeCodeBytes(variable: Variable, shift: number): CodeBytes {
  const ends: number[] = [];
  const places: number[] = [];
  const masks: number[] = [];
  for (const bits of predictorBitsOf(variable)) {
    const begun = places.length;
    for (const bit of bits) {
      const place = (shift + bit) >> 3;
      if (places.length === begun || places.at(-1) !== place) masks[places.push(place) - 1] = 0;
      masks[masks.length - 1]! |= 0x80 >> ((shift + bit) & 7);
    }
    ends.push(places.length);
  }
  return { ends, places, masks };
}

/** The set bits of each code, from the variable's first bit. */
export function predictorBitsOf(variable: Variable): readonly (readonly number[])[] {
  const hole = holeCode(variable);
  return Array.from({ length: codeCount(variable) }, (_, code) => {
    if (code === hole) return [predictorCount(variable) - 1];
    if (variable.kind === 'binary') return code === 1 ? [0] : [];
    if (variable.kind === 'categorical') return [code];
    // of "other" it is not known where it lies
    if (code === otherCode(variable)) return [];
    const atom = code - variable.values.length;
    const cell = atom < 0 ? code : cellOf(variable, variable.atoms!.values[atom]!);
    const below = variable.cuts.flatMap((cut, bit) => (cell >= cut ? [bit] : []));
    return atom < 0 ? below : [...below, variable.cuts.length + atom];
  });
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
 * The predictor bits of all rows in the given ordering of the variables, and behind them `extra` zero bits a row.
 * @param rows a table's matrix, of codes
 */
export function predictorMatrix(rows: BitMatrix, table: Table, ordering: ArrayLike<number>, extra: number): BitMatrix {
  const offsets = codeOffsets(table);
  const ordered = Array.from(ordering, (index) => table.variables[index]!);
  const firsts = predictorOffsets({ variables: ordered });
  const bits = BitMatrix.create(rows.rows, firsts[ordered.length]! + extra);
  ordered.forEach((variable, position) => {
    const index = ordering[position]!;
    setPredictorBits(bits, firsts[position]!, variable, readCodes(rows, offsets[index]!, offsets[index + 1]!));
  });
  return bits;
}
