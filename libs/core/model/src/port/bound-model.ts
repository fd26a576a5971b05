import type { BitMatrix } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { RefusalParts } from '@orchard/refusal';
import { ModelError } from '../errors.js';
import { HeadedModel } from '../file/headed-model.js';
import { blanksOf, checkSeed, checkWhole, emptyMatrix } from './arguments.js';
import { asBitMatrix, type BinaryMatrix } from './binary-matrix.js';
import type { CompleteOptions, Completion } from './completion.js';
import type { DensityModel, ModelSummary } from './density-model.js';
import type { Score } from './score.js';

/** What such a model lacks to fill in what is unknown, in the parts of an error. */
export type WhyIncomplete = RefusalParts;

/**
 * A model of rows of 0 and 1 that draws exactly, and knows of likelihoods lower bounds: what is unknown cannot be
 * summed out, so that it completes no rows.
 */
export abstract class BoundModel extends HeadedModel implements DensityModel {
  readonly likelihoodIs = 'lower bound';

  abstract summary(): ModelSummary;

  /** A lower bound of log P of a row. @param values 0 or 1 of each column */
  protected abstract bound(values: Uint8Array): number;

  /** Draws what the columns of a row have as their rates. */
  protected abstract drawRates(stream: RandomStream, rates: Float64Array): void;

  /** Why it completes no rows. */
  protected abstract whyIncomplete(): WhyIncomplete;

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const values = new Uint8Array(this.dimensions);
    return Float64Array.from({ length: rows.rows }, (_, row) => {
      rows.readRow(row, values);
      return this.bound(values);
    });
  }

  /** A bound has no share for each column. */
  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    checkWhole('top', top, 0, 2 ** 32 - 1);
    const logLikelihood = this.logLikelihood(matrix);
    return { logLikelihood, surprise: new Float64Array(0), columns: new Uint32Array(0), top: 0 };
  }

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    const rates = new Float64Array(this.dimensions);
    for (let row = 0; row < count; row++) {
      const stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      this.drawRates(stream, rates);
      rates.forEach((rate, dim) => {
        matrix.set(row, dim, stream.uniform() < rate);
      });
    }
    return matrix;
  }

  /** @throws ModelError `invalid-argument` always */
  complete(values: BinaryMatrix, known: BinaryMatrix, { seed, samples = 1 }: CompleteOptions): Completion {
    checkSeed(seed);
    checkWhole('samples', samples, 1, 2 ** 32 - 1);
    blanksOf(values, known, this);
    throw new ModelError('invalid-argument', this.whyIncomplete());
  }
}

/** What the summary of such a model says of its answers. */
export const BOUND_ANSWERS = [
  'answers',
  'exactly: samples of whole rows; of likelihoods a lower bound (see the report); no conditionals, no completions',
] as const;
