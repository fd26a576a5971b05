import {
  asBitMatrix,
  madeOfBody,
  NumberArray,
  type BinaryMatrix,
  type BodyArrays,
  type ColumnStates,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { logSumExp } from '@orchard/numerics';
import { Gate } from './gate.js';
import { IntervalStates } from './interval-states.js';
import { Interval } from './interval.js';
import { sequentialAnswers } from './learned-facts.js';
import { OddsModel } from './odds-model.js';
import { readWeights, weightArrays, weightNames } from './sparse-weights.js';

const sequenceModelFamily = 'sparn-sequence';

/**
 * A sequence of mixtures (Goessling's thesis, 5.4): of consecutive intervals of columns each a mixture of sparse
 * networks, whose components the columns before predict.
 */
export class SparnSequence extends OddsModel {
  readonly family = sequenceModelFamily;

  /** @throws RangeError where the intervals are not all columns, one after the other */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly intervals: readonly Interval[],
  ) {
    super(head);
    const ends = [0, ...intervals.map(({ end }) => end)];
    if (intervals.some(({ first }, at) => first !== ends[at]) || ends.at(-1) !== this.dimensions)
      throw new RangeError(`intervals that end at ${ends.slice(1).join(', ')} of ${String(this.dimensions)} columns`);
  }

  override logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const sums = new Float64Array(rows.rows);
    for (const interval of this.intervals) {
      const joint = interval.jointOf(rows);
      for (let row = 0; row < rows.rows; row++) sums[row]! += logSumExp(joint.map((own) => own[row]!));
    }
    return sums;
  }

  summary(): ModelSummary {
    const { dimensions, intervals } = this;
    const counts = intervals.map(({ components }) => String(components)).join(', ');
    const weights = intervals.reduce(
      (sum, { networks }) => networks.reduce((own, { weights }) => own + weights.length, sum),
      0,
    );
    const gates = intervals.reduce((sum, { gate }) => sum + gate.scores.weights.length, 0);
    return {
      dimensions,
      facts: [
        ['model', 'a sequence of mixtures of sparse autoregressive networks, whose components the columns before tell'],
        ['intervals', `${String(intervals.length)}, that end at columns ${intervals.map(({ end }) => end).join(', ')}`],
        ['components', `${counts} of these intervals`],
        ['weights', `${String(weights)} that are not 0, and ${String(gates)} that tell components`],
        sequentialAnswers,
      ],
    };
  }

  protected body(): BodyArrays {
    const { intervals } = this;
    // where an interval begins, how many it has
    const components = new Uint32Array(this.dimensions);
    for (const { first, components: count } of intervals) components[first] = count;
    const networks = intervals.flatMap((interval) => interval.networks);
    const gates = intervals.map(({ gate }) => gate.scores);
    return {
      components: NumberArray.ofIntegers([components]),
      ...weightArrays(networks, 'network'),
      ...weightArrays(gates, 'gate'),
    };
  }

  protected override visitOdds(rows: number, visit: (row: number, column: number, odds: number) => 0 | 1): void {
    const states = this.statesOf()(1);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < this.dimensions; column++)
        states.take(0, column, visit(row, column, states.odds(0, column)));
  }

  /** The components are summed out. */
  protected override statesOf(): (particles: number) => ColumnStates {
    return (particles) => new IntervalStates(this.intervals, this.dimensions, particles);
  }
}

export const sequenceCodec: ModelCodec = {
  family: sequenceModelFamily,
  read: (head, body) => {
    const { dimensions } = head;
    body.requireOnly(['components', ...weightNames('network'), ...weightNames('gate')]);
    const components = body.integers('components', dimensions);
    const firsts = Array.from(components.keys()).filter((column) => column === 0 || components[column]! > 0);
    const counts = firsts.map((first) => components[first]!);
    const ends = [...firsts.slice(1), dimensions];
    const sizes = firsts.flatMap((first, at) => new Array<number>(counts[at]!).fill(ends[at]! - first));
    const networks = readWeights(body, sizes, 'network');
    const gates = readWeights(body, counts, 'gate');
    return madeOfBody(
      'intervals of components, each with an intercept and weights of columns before, ascending',
      () => {
        let next = 0;
        const intervals = firsts.map((first, at) => {
          const own = networks.slice(next, next + counts[at]!);
          next += counts[at]!;
          return new Interval(new Gate(first, gates[at]!), own);
        });
        return new SparnSequence(head, intervals);
      },
    );
  },
};
