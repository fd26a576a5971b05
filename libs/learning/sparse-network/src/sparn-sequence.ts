import type { BitMatrix } from '@orchard/dataset';
import { logSumExp } from '@orchard/members';
import {
  asBitMatrix,
  blanksOf,
  checkSeed,
  checkWhole,
  completeSequentially,
  draws,
  emptyMatrix,
  HeadedModel,
  logProbability,
  madeOfBody,
  NumberArray,
  scoreCells,
  type BinaryMatrix,
  type BodyArrays,
  type Completion,
  type CompleteOptions,
  type DensityModel,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
  type Score,
} from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import { Gate } from './gate.js';
import { IntervalStates } from './interval-states.js';
import { Interval } from './interval.js';
import { sequentialAnswers } from './learned-facts.js';
import { MOST_SAMPLES } from './sparn-model.js';
import { readWeights, weightArrays, weightNames } from './sparse-weights.js';

const sequenceModelFamily = 'sparn-sequence';

/** Bytes of particles that are held at a time, where a row does not ask for more. */
const ROOM = 4 * 2 ** 20;

/**
 * A sequence of mixtures (Goessling's thesis, 5.4): of consecutive intervals of columns each a mixture of sparse
 * networks, whose components the columns before predict.
 */
export class SparnSequence extends HeadedModel implements DensityModel {
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

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const sums = new Float64Array(rows.rows);
    for (const interval of this.intervals) {
      const joint = interval.jointOf(rows);
      for (let row = 0; row < rows.rows; row++) sums[row]! += logSumExp(joint.map((own) => own[row]!));
    }
    return sums;
  }

  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    const rows = asBitMatrix(matrix, this.dimensions);
    const cells = new Float64Array(rows.rows * this.dimensions);
    this.#visitOdds(rows.rows, (row, column, odds) => {
      const value = rows.get(row, column);
      cells[row * this.dimensions + column] = logProbability(value, odds);
      return value;
    });
    return scoreCells(cells, this.dimensions, top);
  }

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    let stream = new RandomStream(seed, Purpose.sample);
    this.#visitOdds(count, (row, column, odds) => {
      if (column === 0) stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      const value = draws(stream.uniform(), odds) ? 1 : 0;
      matrix.set(row, column, value);
      return value;
    });
    return matrix;
  }

  /**
   * Exact where the known columns come first; otherwise by particles, of which the components are summed out.
   *
   * @default samples 256
   */
  complete(values: BinaryMatrix, known: BinaryMatrix, { seed, samples = 256, firstRow }: CompleteOptions): Completion {
    checkSeed(seed);
    const { dimensions } = this;
    checkWhole('samples', samples, 1, Math.min(MOST_SAMPLES, Math.floor(2 ** 31 / (dimensions + 1)) - 1));
    const blanks = blanksOf(values, known, this);
    const ones = new Uint8Array(dimensions).fill(1);
    const done = completeSequentially(
      {
        rows: blanks.matrix.rows,
        steps: ones,
        numbers: ones,
        room: Math.max(samples, Math.floor(ROOM / dimensions)),
        said: (row, column) => blanks.known.get(row, column),
        outcome: (row, column) => blanks.matrix.get(row, column),
        states: (room) => {
          const states = new IntervalStates(this.intervals, dimensions, room);
          return {
            copy: (column, { from, to }) => {
              for (let at = 0; at < from.length; at++) states.copy(from[at]!, to[at]!, column);
              from.length = 0;
              to.length = 0;
            },
            begin: () => undefined,
            allowed: () => undefined,
            odds: (column, _, { used }, odds) => {
              for (let particle = 0; particle < used; particle++) odds[particle] = states.odds(particle, column);
            },
            take: (column, particle, outcome) => {
              states.take(particle, column, outcome as 0 | 1);
            },
            end: () => undefined,
            write: (row, _, particle) => {
              for (let column = 0; column < dimensions; column++)
                if (blanks.known.get(row, column) === 0)
                  blanks.matrix.set(row, column, states.values[particle * dimensions + column] === 1);
            },
          };
        },
      },
      { seed, samples, draws: 1, firstRow },
    );
    return { matrix: blanks.matrix, ...done };
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

  /** Visits the odds of a 1 of each value given those before it, row after row; the visitor says what it is. */
  #visitOdds(rows: number, visit: (row: number, column: number, odds: number) => 0 | 1): void {
    const states = new IntervalStates(this.intervals, this.dimensions, 1);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < this.dimensions; column++)
        states.take(0, column, visit(row, column, states.odds(0, column)));
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
