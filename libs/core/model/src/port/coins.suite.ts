import type { BitMatrix } from '@orchard/dataset';
import { log, Purpose, RandomStream } from '@orchard/numerics';
import {
  asBitMatrix,
  blanksOf,
  checkSeed,
  checkWhole,
  emptyMatrix,
  HeadedModel,
  NumberArray,
  scoreCells,
} from '../index.js';
import type {
  BinaryMatrix,
  BodyArrays,
  CompleteOptions,
  Completion,
  DensityModel,
  ModelCodec,
  ModelHead,
  ModelSummary,
  Score,
} from '../index.js';

/** A second family for tests, made of what the lib exports: a coin for each column, thrown independently. */
export class Coins extends HeadedModel implements DensityModel {
  readonly family = 'coins';

  /** @param ones P(1) of each column, between 0 and 1 */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly ones: Float64Array,
  ) {
    super(head);
  }

  private cells(rows: BinaryMatrix): Float64Array {
    const matrix = asBitMatrix(rows, this.dimensions);
    return Float64Array.from({ length: matrix.rows * this.dimensions }, (_, at) => {
      const p = this.ones[at % this.dimensions]!;
      return matrix.get(Math.floor(at / this.dimensions), at % this.dimensions) === 1 ? log(p) : log(1 - p);
    });
  }

  logLikelihood(rows: BinaryMatrix): Float64Array {
    return this.score(rows, { top: 0 }).logLikelihood;
  }

  score(rows: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    return scoreCells(this.cells(rows), this.dimensions, top);
  }

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    return this.fill(emptyMatrix(count, this), emptyMatrix(count, this), seed, Purpose.sample, firstRow);
  }

  complete(values: BinaryMatrix, mask: BinaryMatrix, options: CompleteOptions): Completion {
    const { seed, samples = 256, firstRow = 0 } = options;
    checkSeed(seed);
    checkWhole('samples', samples, 1, 65_536);
    const { matrix, known } = blanksOf(values, mask, this);
    const logs = this.cells(matrix); // before the blanks are filled
    return {
      matrix: this.fill(matrix, known, seed, Purpose.complete, firstRow),
      effectiveSampleSize: new Float64Array(matrix.rows).fill(samples),
      exact: new Uint8Array(matrix.rows).fill(1),
      logEvidence: Float64Array.from({ length: matrix.rows }, (_, row) =>
        logs
          .subarray(row * this.dimensions, (row + 1) * this.dimensions)
          .reduce((sum, value, column) => sum + (known.get(row, column) === 1 ? value : 0), 0),
      ),
      logEvidenceError: new Float64Array(matrix.rows),
    };
  }

  private fill(matrix: BitMatrix, known: BitMatrix, seed: number, purpose: number, firstRow: number): BitMatrix {
    for (let row = 0; row < matrix.rows; row++) {
      const stream = new RandomStream(seed, purpose, firstRow + row);
      for (let column = 0; column < this.dimensions; column++) {
        const drawn = stream.uniform() < this.ones[column]!;
        if (known.get(row, column) === 0) matrix.set(row, column, drawn);
      }
    }
    return matrix;
  }

  summary(): ModelSummary {
    return { dimensions: this.dimensions, facts: [['coins', `${this.dimensions}, thrown independently`]] };
  }

  protected body(): BodyArrays {
    return { ones: NumberArray.ofFloats([this.ones]) };
  }
}

export const coinsCodec: ModelCodec = {
  family: 'coins',
  read(head, body) {
    body.requireOnly(['ones']);
    return new Coins(head, body.floats('ones', head.dimensions));
  },
};
