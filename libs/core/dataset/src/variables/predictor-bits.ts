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
  variables.forEach((variable, index) => (offsets[index + 1] = offsets[index]! + predictorCount(variable)));
  return offsets;
}

/** Rows may come one by one: it is made once a variable. */
const known = new WeakMap<Variable, readonly (readonly number[])[]>();

/** The set bits of each code, from the variable's first bit. */
function bitsByCode(variable: Variable): readonly (readonly number[])[] {
  const made = known.get(variable) ?? makeBitsByCode(variable);
  known.set(variable, made);
  return made;
}

function makeBitsByCode(variable: Variable): readonly (readonly number[])[] {
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
  const byCode = bitsByCode(variable);
  for (let row = 0; row < codes.length; row++) {
    const start = row * stride;
    for (const bit of byCode[codes[row]!]!) {
      const at = first + bit;
      bytes[start + (at >> 3)]! |= 0x80 >> (at & 7);
    }
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
