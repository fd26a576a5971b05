import type { BitMatrix } from '@orchard/dataset';
import {
  asBitMatrix,
  blanksOf,
  checkSeed,
  checkWhole,
  emptyMatrix,
  HeadedModel,
  ModelError,
  type BinaryMatrix,
  type BodyArrays,
  type CompleteOptions,
  type Completion,
  type DensityModel,
  type ModelHead,
  type ModelSummary,
  type Score,
} from '@orchard/model';
import { exp, log, Purpose, RandomStream } from '@orchard/numerics';
import { mostExact } from './every-set.js';
import type { Experts } from './experts.js';
import { bodyOf, factsOf } from './partition-body.js';
import { partitionFamily } from './partition-run.js';
import { Pursuit } from './pursuit.js';

/** How far from the likelihood the bound is, where that could be summed (measured.md). */
export const HOW_LOOSE =
  'A bound leaves out most sets of experts: of drawn experts it was too low by 0.6 to 2 nats for 20 of 8 columns, and by 0.03 to 0.5 for 16 of 60.';

/**
 * The same distribution of more experts than could be summed over set by set. Rows are sampled exactly; their
 * likelihood is a lower bound: the sum over those sets of experts that a pursuit looks at, some K for each expert that
 * it finds.
 */
export class PartitionBound extends HeadedModel implements DensityModel {
  readonly family = partitionFamily;
  readonly likelihoodIs = 'lower bound';
  /** Made where it is first asked for: most files of a run's steps are only read. */
  #pursuit: Pursuit | null = null;
  /** log (1 - π) - log π of each expert. */
  readonly #prices: Float64Array;
  /** log of Π (1 - π) over what all sets but the empty one have. */
  readonly #logNobody: number;

  /** @throws RangeError where the experts are of other columns */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly experts: Experts,
  ) {
    super(head);
    if (experts.dimensions !== head.dimensions)
      throw new RangeError(`experts of ${String(experts.dimensions)} columns`);
    this.#prices = experts.active.map((p) => log(1 - p) - log(p));
    const nobody = experts.active.reduce((sum, p) => sum + log(1 - p), 0);
    this.#logNobody = nobody - log(1 - exp(nobody));
  }

  /** A lower bound of log P of each row. */
  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    this.#pursuit ??= new Pursuit(this.experts);
    const pursuit = this.#pursuit;
    const values = new Uint8Array(this.dimensions);
    const terms: number[] = [];
    return Float64Array.from({ length: rows.rows }, (_, row) => {
      rows.readRow(row, values);
      terms.length = 0;
      let priced = 0;
      let paid = 0;
      pursuit.explain(values, this.#prices, (before, expert, nats) => {
        for (; paid < before.length; paid++) priced += this.#prices[before[paid]!]!;
        terms.push(nats - priced - this.#prices[expert]!);
      });
      const highest = terms.reduce((most, term) => Math.max(most, term), -Infinity);
      return this.#logNobody + highest + log(terms.reduce((sum, term) => sum + exp(term - highest), 0));
    });
  }

  /** A bound has no share for each column. */
  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    checkWhole('top', top, 0, 2 ** 32 - 1);
    const logLikelihood = this.logLikelihood(matrix);
    return { logLikelihood, surprise: new Float64Array(0), columns: new Uint32Array(0), top: 0 };
  }

  /** Exact: first the experts, then the columns. */
  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    const rates = new Float64Array(this.dimensions);
    for (let row = 0; row < count; row++) {
      const stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      this.experts.composeInto(this.#drawExperts(stream), rates);
      rates.forEach((rate, dim) => {
        matrix.set(row, dim, stream.uniform() < rate);
      });
    }
    return matrix;
  }

  /** @throws ModelError `invalid-argument` always: what is unknown would have to be summed out */
  complete(values: BinaryMatrix, known: BinaryMatrix, { seed, samples = 1 }: CompleteOptions): Completion {
    checkSeed(seed);
    checkWhole('samples', samples, 1, 2 ** 32 - 1);
    blanksOf(values, known, this);
    const most = mostExact(this.dimensions);
    throw new ModelError('invalid-argument', {
      got: `unknown values, of a partition of ${String(this.experts.count)} experts`,
      expected: `${String(most)} experts of ${String(this.dimensions)} columns at most, all sets of which can be summed over`,
      remedy: `Train with --experts ${String(most)}, or another model: chow-liu, cutset, mixture and boosted complete rows exactly.`,
    });
  }

  summary(): ModelSummary {
    return {
      dimensions: this.dimensions,
      facts: [
        ...factsOf(this.experts),
        [
          'answers',
          'exactly: samples of whole rows; of likelihoods a lower bound (see the report); no conditionals, no completions',
        ],
      ],
    };
  }

  protected body(): BodyArrays {
    return bodyOf(this.experts);
  }

  /** Each by itself, given that not all stay away. */
  #drawExperts(stream: RandomStream): readonly number[] {
    const { active, count } = this.experts;
    // P(none of those from an expert on)
    const nobody = new Float64Array(count + 1).fill(1);
    for (let expert = count - 1; expert >= 0; expert--) nobody[expert] = nobody[expert + 1]! * (1 - active[expert]!);
    const drawn: number[] = [];
    for (let expert = 0; expert < count; expert++) {
      const share = drawn.length > 0 ? active[expert]! : active[expert]! / (1 - nobody[expert]!);
      // the last one comes where none did before: rounding is not a reason to stay away
      if (stream.uniform() < share || (drawn.length === 0 && expert === count - 1)) drawn.push(expert);
    }
    return drawn;
  }
}
