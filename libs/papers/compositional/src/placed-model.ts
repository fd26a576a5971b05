import type { BitMatrix } from '@orchard/dataset';
import { composedBy, PlacedPursuit, type PlacedExperts } from './compositions/index.js';
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
import { Purpose, RandomStream } from '@orchard/numerics';
import { bodyOfExperts, bodyOfPlaces, compositionalFamily, factsOf } from './compositional-body.js';

/** What the bound leaves out. */
export const HOW_LOOSE =
  'A bound sums what one explanation of a row has, and those that differ from it in one template. Where few experts could still be summed over it was too low by 0.1 to 0.6 nats per row.';

/**
 * Experts that are too many to ask all sets of them, or that lie anywhere in an image. Rows are sampled exactly; their
 * likelihood is a lower bound: one explanation of the row, with all that differ from it in the state of one expert.
 */
export class PlacedCompositional extends HeadedModel implements DensityModel {
  readonly family = compositionalFamily;
  readonly likelihoodIs = 'lower bound';
  /** Made where it is first asked for: most files of a run's steps are only read. */
  #pursuit: PlacedPursuit | null = null;

  /** @throws RangeError where the experts are of other columns, or places of another shape */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly placed: PlacedExperts,
  ) {
    super(head);
    const { experts, places } = placed;
    if (experts.dimensions !== head.dimensions)
      throw new RangeError(`experts of ${String(experts.dimensions)} columns`);
    if (places.options !== null && places.options.shape.join() !== head.shape?.join())
      throw new RangeError('places in images of another shape');
  }

  /** A lower bound of log P of each row. */
  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    this.#pursuit ??= new PlacedPursuit(this.placed);
    const pursuit = this.#pursuit;
    const values = new Uint8Array(this.dimensions);
    return Float64Array.from({ length: rows.rows }, (_, row) => {
      rows.readRow(row, values);
      return pursuit.bound(values);
    });
  }

  /** A bound has no share for each column. */
  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    checkWhole('top', top, 0, 2 ** 32 - 1);
    const logLikelihood = this.logLikelihood(matrix);
    return { logLikelihood, surprise: new Float64Array(0), columns: new Uint32Array(0), top: 0 };
  }

  /** Exact: first the experts, then their places, then the columns. */
  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const { experts, places, placement, spread } = this.placed;
    const matrix = emptyMatrix(count, this);
    const composed = composedBy(spread);
    const rates = new Float64Array(this.dimensions);
    for (let row = 0; row < count; row++) {
      const stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      const set = Array.from(experts.active.keys()).filter((expert) => stream.uniform() < experts.active[expert]!);
      const drawn = placement.of(set).draw(stream);
      const axes = places.most.length;
      composed.clear();
      set.forEach((expert, at) => {
        composed.add(expert * places.count + places.at(drawn.subarray(at * axes, (at + 1) * axes)));
      });
      composed.ratesInto(rates);
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
    throw new ModelError('invalid-argument', {
      got: `unknown values, of ${String(this.placed.experts.count)} experts at ${String(this.placed.places.count)} places`,
      expected: 'few experts at one place, all sets of which can be summed over',
      remedy:
        'Train with fewer experts and without shifts and turns, or another model: chow-liu, cutset, mixture and boosted complete rows exactly.',
    });
  }

  summary(): ModelSummary {
    const { experts, places } = this.placed;
    const { shifts = 0, turns = 0 } = places.options ?? {};
    const where: [string, string] = [
      'places',
      `${String(places.count)} of each expert: shifted by up to ${String(shifts)} pixels, turned by up to ${String(turns)} degrees`,
    ];
    return {
      dimensions: this.dimensions,
      facts: [
        ...factsOf(experts),
        ...(places.count > 1 ? [where] : []),
        [
          'answers',
          'exactly: samples of whole rows; of likelihoods a lower bound (see the report); no conditionals, no completions',
        ],
      ],
    };
  }

  protected body(): BodyArrays {
    return { ...bodyOfExperts(this.placed.experts), ...bodyOfPlaces(this.placed) };
  }
}
