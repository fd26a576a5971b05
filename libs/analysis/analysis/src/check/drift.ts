import { codeCount, encodeParts, readCodes, type RawTable } from '@orchard/dataset';
import { firstThat, Purpose, RandomStream, sumOf } from '@orchard/numerics';
import { isKnown, type CodedRows, type TabularModel } from '@orchard/model';

/** How far a column of a file is from what a model learned. */
export interface ColumnDrift {
  readonly column: string;
  /**
   * Total variation distance between the shares of the column's values in the file and in the model's samples: 0 equal,
   * 1 disjoint. Missing values count as a value where training had some, else not at all.
   */
  readonly distance: number;
  /** The greatest such distance that chance made, of as many values as the column has in the file, in
   * `CHANCES` tries. */
  readonly byChance: number;
}

/** Rows sampled as what the model learned. */
const SAMPLED = 4000;

/** Times that as many rows as the file has are sampled of each column. */
const CHANCES = 200;

/** The columns of a file that have drifted from what the model learned, the furthest first: one pass over the file. */
export async function findDrift(raw: RawTable, model: TabularModel, seed: number): Promise<readonly ColumnDrift[]> {
  const { variables } = model.table;
  const counts = variables.map((variable) => new Float64Array(codeCount(variable)));
  for await (const part of encodeParts(raw, model.table, { missing: 'value', mayBeUnknown: true }))
    countInto(counts, part, model);
  const learned = countsLearned(model, seed);
  return variables
    .flatMap(({ name }, index) => {
      const [own, expected] = [counts[index]!, learned[index]!];
      const values = sumOf(own);
      // of a column without a value in the file nothing can be said
      if (values === 0) return [];
      const byChance = distanceByChance(expected, values, new RandomStream(seed, Purpose.bootstrap, index));
      return [{ column: name, distance: distanceOf(own, expected), byChance }];
    })
    .filter(({ distance, byChance }) => distance > byChance)
    .sort((a, b) => b.distance - a.distance);
}

/** Of each model what was counted last: of one that is asked again and again nothing is sampled anew. */
const countedLast = new WeakMap<TabularModel, { readonly seed: number; readonly counts: readonly Float64Array[] }>();

function countsLearned(model: TabularModel, seed: number): readonly Float64Array[] {
  const last = countedLast.get(model);
  if (last?.seed === seed) return last.counts;
  const counts = model.table.variables.map((variable) => new Float64Array(codeCount(variable)));
  countInto(counts, { matrix: model.sample(SAMPLED, seed), known: null }, model);
  countedLast.set(model, { seed, counts });
  return counts;
}

function countInto(counts: readonly Float64Array[], rows: CodedRows, model: TabularModel): void {
  counts.forEach((ofColumn, index) => {
    readCodes(rows.matrix, model.offsets[index]!, model.offsets[index + 1]!).forEach((code, row) => {
      if (isKnown(model, rows, row, index)) ofColumn[code]!++;
    });
  });
}

/**
 * How far so many values of these shares are from them, at most, where the shares are known by as many rows as were
 * sampled.
 */
function distanceByChance(shares: Float64Array, values: number, stream: RandomStream): number {
  const upTo = new Float64Array(shares.length);
  let sum = 0;
  shares.forEach((count, code) => {
    sum += count / SAMPLED;
    upTo[code] = sum;
  });
  const drawn = Math.min(values, SAMPLED);
  let greatest = 0;
  for (let chance = 0; chance < CHANCES; chance++) {
    const counts = new Float64Array(shares.length);
    for (let row = 0; row < drawn; row++) {
      const uniform = stream.uniform();
      // the last one where rounded shares sum to less
      counts[firstThat(upTo.length - 1, (code) => upTo[code]! > uniform)]!++;
    }
    greatest = Math.max(greatest, distanceOf(counts, shares));
  }
  // so many were drawn, where the file may have more; and the shares have an error of their own
  return greatest * Math.sqrt(drawn / values + drawn / SAMPLED);
}

function distanceOf(left: Float64Array, right: Float64Array): number {
  const [leftSum, rightSum] = [sumOf(left), sumOf(right)];
  return left.reduce((sum, count, code) => sum + Math.abs(count / leftSum - right[code]! / rightSum), 0) / 2;
}
