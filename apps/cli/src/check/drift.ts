import { codeCount, encodeParts, readCodes, type RawTable } from '@orchard/dataset';
import type { BinaryMatrix, TabularModel } from '@orchard/model';

/** How far a column of a file is from what a model learned. */
export interface ColumnDrift {
  readonly column: string;
  /** Total variation distance between the shares of the column's values in the file and in the model's samples: 0 equal, 1 disjoint. */
  readonly distance: number;
  /** The same distance of as many rows that the model sampled: what chance alone makes. */
  readonly byChance: number;
}

/** Rows sampled as what the model learned. */
const SAMPLED = 4000;

/** Columns further from the model than this multiple of what chance makes have drifted. */
const BEYOND_CHANCE = 2;

/** The columns of a file that have drifted from what the model learned, the furthest first: one pass over the file. */
export async function findDrift(raw: RawTable, model: TabularModel, seed: number): Promise<readonly ColumnDrift[]> {
  const { variables } = model.table;
  const counts = variables.map((variable) => new Float64Array(codeCount(variable)));
  let rows = 0;
  for await (const { matrix } of encodeParts(raw, model.table, { missing: 'value', mayBeUnknown: true })) {
    countInto(counts, matrix, model);
    rows += matrix.rows;
  }
  const learned = countsOf(model, SAMPLED, seed);
  const again = countsOf(model, Math.min(rows, SAMPLED), seed + 1);
  return variables
    .map(({ name }, index) => ({
      column: name,
      distance: distanceOf(counts[index]!, learned[index]!),
      byChance: distanceOf(again[index]!, learned[index]!),
    }))
    .filter(({ distance, byChance }) => distance > BEYOND_CHANCE * byChance)
    .sort((a, b) => b.distance - a.distance);
}

function countsOf(model: TabularModel, rows: number, seed: number): Float64Array[] {
  const counts = model.table.variables.map((variable) => new Float64Array(codeCount(variable)));
  countInto(counts, model.sample(rows, seed), model);
  return counts;
}

function countInto(
  counts: readonly Float64Array[],
  matrix: BinaryMatrix & Parameters<typeof readCodes>[0],
  model: TabularModel,
): void {
  counts.forEach((ofColumn, index) => {
    for (const code of readCodes(matrix, model.offsets[index]!, model.offsets[index + 1]!)) ofColumn[code]!++;
  });
}

function distanceOf(left: Float64Array, right: Float64Array): number {
  const [leftSum, rightSum] = [left, right].map((counts) => counts.reduce((sum, count) => sum + count, 0));
  return left.reduce((sum, count, code) => sum + Math.abs(count / leftSum! - right[code]! / rightSum!), 0) / 2;
}
