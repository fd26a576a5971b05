import { BitMatrix, codeOffsets, inSharedMemory, readCodes } from '@orchard/dataset';
import type { CodeLaw } from './code-law.js';
import { lawsOf } from './fit-variable.js';

/** Splits of a table by variable, as {@link fitVariable} takes them. */
export interface TableColumns {
  readonly laws: readonly CodeLaw[];
  readonly train: readonly Uint16Array[];
  readonly valid: readonly Uint16Array[];
}

/** What {@link attachTable} takes: buffers that threads share. */
export interface SharedTable {
  readonly train: ArrayBufferLike;
  readonly valid: ArrayBufferLike;
}

export function shareTable({ train, valid }: { train: BitMatrix; valid: BitMatrix }): SharedTable {
  return { train: inSharedMemory(train.buffer), valid: inSharedMemory(valid.buffer) };
}

export function attachTable({ train, valid }: SharedTable): TableColumns {
  const matrix = BitMatrix.from(train);
  const laws = lawsOf(matrix.columns.codes.table);
  return { laws, train: codesOf(matrix), valid: codesOf(BitMatrix.from(valid)) };
}

function codesOf(matrix: BitMatrix): readonly Uint16Array[] {
  const { table } = matrix.columns.codes;
  const offsets = codeOffsets(table);
  return table.variables.map((_, index) => readCodes(matrix, offsets[index]!, offsets[index + 1]!));
}
