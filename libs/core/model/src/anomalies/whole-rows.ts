import type { BitMatrix } from '@orchard/dataset';
import type { TabularModel } from '../tables/tabular-model.js';

/** Rows of codes, and of each bit whether it is known; null where all are. */
export interface CodedRows {
  readonly matrix: BitMatrix;
  readonly known: BitMatrix | null;
}

/** Fills over which what is unknown is averaged, and the particles that each fill is chosen from. */
const FILLS = 8;
const PARTICLES = 64;

export function isKnown(model: TabularModel, { known }: CodedRows, row: number, variable: number): boolean {
  return known === null || known.get(row, model.offsets[variable]!) === 1;
}

/** The numbers of the rows with unknown values. */
export function incompleteRows(model: TabularModel, rows: CodedRows): number[] {
  if (rows.known === null) return [];
  const variables = model.table.variables.map((_, index) => index);
  return Array.from({ length: rows.matrix.rows }, (_, row) => row).filter((row) =>
    variables.some((index) => !isKnown(model, rows, row, index)),
  );
}

/**
 * One row several times, its unknown values filled by samples given the known ones. The row is filled alone, so that
 * equal rows are filled alike wherever they stand.
 */
export function fillsOf(model: TabularModel, { matrix, known }: CodedRows, row: number): BitMatrix {
  const options = { seed: 0, samples: PARTICLES, draws: FILLS };
  const fills = model.completions(matrix.selectRows([row]), known!.selectRows([row]), options);
  const rows = model.emptyRows(FILLS);
  fills.forEach(({ matrix: filled }, at) => {
    rows.bytes.set(filled.bytes.subarray(0, filled.stride), at * rows.stride);
  });
  return rows;
}
