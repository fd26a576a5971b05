import type { BitMatrix } from '@orchard/dataset';
import { logProbability } from '@orchard/model';
import type { Gate } from './gate.js';
import { oddsOf } from './odds.js';
import { checkWeights, type SparseWeights, type Sums, sumsOf } from './sparse-weights.js';

/**
 * Columns `first` to before `end` of a sequence of mixtures (Goessling's thesis, 5.4): P(x_first … x_end-1 | what comes
 * before) = Σ P(h | before) Π P(x_d | all before d, h), each conditional a logistic regression. A row's values are
 * bytes here, all columns of it.
 */
export class Interval {
  readonly first: number;
  readonly end: number;
  readonly components: number;
  readonly #sums: readonly Sums[];

  /**
   * @param networks of each component the weights of the interval's columns, predicted by any columns before
   * @throws RangeError where the weights are none of such columns
   */
  constructor(
    readonly gate: Gate,
    readonly networks: readonly SparseWeights[],
  ) {
    this.first = gate.first;
    this.components = networks.length;
    const size = networks[0]?.intercepts.length ?? 0;
    this.end = this.first + size;
    if (size < 1 || gate.components !== networks.length || networks.some((own) => own.intercepts.length !== size))
      throw new RangeError('an interval whose columns, components and scores do not fit');
    for (const own of networks) checkWeights(own, (at) => this.first + at);
    this.#sums = networks.map(sumsOf);
  }

  /** Odds of a 1 in a column under component h, by the values that begin at `row`. */
  oddsOf(column: number, h: number, values: Uint8Array, row: number): number {
    return oddsOf(this.#sums[h]!(column - this.first, values, row));
  }

  /** log (P(h | before) P(the interval's columns | before, h)) of every row, for each component. */
  jointOf(matrix: BitMatrix): readonly Float64Array[] {
    const { components, first, end } = this;
    const joint = Array.from({ length: components }, () => new Float64Array(matrix.rows));
    const values = new Uint8Array(matrix.dimensions);
    const logs = new Float64Array(components);
    for (let row = 0; row < matrix.rows; row++) {
      for (let column = 0; column < end; column++) values[column] = matrix.get(row, column);
      this.gate.into(logs, 0, values, 0);
      for (let h = 0; h < components; h++) {
        let sum = logs[h]!;
        for (let column = first; column < end; column++)
          sum += logProbability(values[column] as 0 | 1, this.oddsOf(column, h, values, 0));
        joint[h]![row] = sum;
      }
    }
    return joint;
  }
}
