import type { BitMatrix } from '@orchard/dataset';
import {
  asBitMatrix,
  blanksOf,
  checkCount,
  checkSeed,
  checkWhole,
  emptyMatrix,
  exactCompletion,
  NumberArray,
  scoreCells,
  writeModelFile,
  type BinaryMatrix,
  type Completion,
  type CompleteOptions,
  type DensityModel,
  type Exact,
  type JsonValue,
  type Likelihoods,
  type Marginals as Rates,
  type ModelCodec,
  type ModelSummary,
  type MostProbable,
  type Score,
  type Variables,
} from '@orchard/model';
import { log, Purpose, RandomStream } from '@orchard/numerics';
import { marginalsFamily, readMarginalsTable } from './marginals-table.js';

export { MarginalsTable } from './marginals-table.js';

/** A product of Bernoullis: every column on its own, P(x) = prod p_d^x_d (1 - p_d)^(1 - x_d). */
export class Marginals implements DensityModel, Exact, MostProbable {
  readonly family = marginalsFamily;
  readonly dimensions: number;
  readonly names: readonly string[] | null;
  readonly shape: readonly [number, number] | null;

  /** @param rates P(x_d = 1) of each column, strictly between 0 and 1 */
  constructor(
    { dimensions, names, shape }: Variables,
    readonly rates: Float64Array,
    readonly specification: JsonValue,
    readonly likelihoods: Likelihoods,
  ) {
    this.dimensions = dimensions;
    this.names = names;
    this.shape = shape;
  }

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    return this.score(matrix, { top: 0 }).logLikelihood;
  }

  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    const rows = asBitMatrix(matrix, this.dimensions);
    const ones = this.rates.map((rate) => log(rate));
    const zeros = this.rates.map((rate) => log(1 - rate));
    const cells = new Float64Array(rows.rows * this.dimensions);
    for (let at = 0, row = 0; row < rows.rows; row++)
      for (let dim = 0; dim < this.dimensions; dim++) cells[at++] = (rows.get(row, dim) === 1 ? ones : zeros)[dim]!;
    return scoreCells(cells, this.dimensions, top);
  }

  sample(count: number, seed: number): BitMatrix {
    checkCount(count);
    checkSeed(seed);
    return this.#draw(emptyMatrix(count, this), null, seed, Purpose.sample);
  }

  /** Exact: what is known says nothing about the rest. */
  complete(values: BinaryMatrix, known: BinaryMatrix, { seed, samples = 1 }: CompleteOptions): Completion {
    checkSeed(seed);
    checkWhole('samples', samples, 1, 2 ** 32 - 1);
    const { matrix, known: kept } = blanksOf(values, known, this);
    const logEvidence = this.#logEvidence(matrix, kept);
    return exactCompletion(this.#draw(matrix, kept, seed, Purpose.complete), logEvidence);
  }

  marginals(values: BinaryMatrix, known: BinaryMatrix): Rates {
    const { matrix, known: kept } = blanksOf(values, known, this);
    const rates = Float64Array.from({ length: matrix.rows * this.dimensions }, (_, at) => {
      const [row, dim] = [Math.floor(at / this.dimensions), at % this.dimensions];
      return kept.get(row, dim) === 1 ? matrix.get(row, dim) : this.rates[dim]!;
    });
    return { rates, logEvidence: this.#logEvidence(matrix, kept) };
  }

  /** Of 0 and 1 that are as probable 0. */
  mostProbable(values: BinaryMatrix, known: BinaryMatrix): { matrix: BitMatrix; logLikelihood: Float64Array } {
    const { matrix, known: kept } = blanksOf(values, known, this);
    for (let row = 0; row < matrix.rows; row++)
      for (let dim = 0; dim < this.dimensions; dim++)
        if (kept.get(row, dim) !== 1) matrix.set(row, dim, this.rates[dim]! > 0.5);
    return { matrix, logLikelihood: this.logLikelihood(matrix) };
  }

  summary(): ModelSummary {
    const { rates, dimensions } = this;
    const entropy = rates.reduce((sum, rate) => sum - rate * log(rate) - (1 - rate) * log(1 - rate), 0);
    return {
      dimensions,
      facts: [
        ['model', 'every column on its own'],
        ['entropy', `${entropy.toFixed(3)} nats per row`],
      ],
    };
  }

  toBytes(): Uint8Array {
    return writeModelFile(this, { rates: NumberArray.ofFloats([this.rates]) });
  }

  /** log P(known values) of each row. */
  #logEvidence(matrix: BitMatrix, known: BitMatrix): Float64Array {
    const logEvidence = new Float64Array(matrix.rows);
    this.score(matrix, { top: 0 }).surprise.forEach((nats, at) => {
      const row = Math.floor(at / this.dimensions);
      if (known.get(row, at % this.dimensions) === 1) logEvidence[row]! -= nats;
    });
    return logEvidence;
  }

  #draw(matrix: BitMatrix, known: BitMatrix | null, seed: number, purpose: number): BitMatrix {
    for (let row = 0; row < matrix.rows; row++) {
      const stream = new RandomStream(seed, purpose, row);
      for (let dim = 0; dim < this.dimensions; dim++) {
        const isOne = stream.uniform() < this.rates[dim]!;
        if (known?.get(row, dim) !== 1) matrix.set(row, dim, isOne);
      }
    }
    return matrix;
  }
}

export const marginalsCodec: ModelCodec = {
  family: marginalsFamily,
  read: (head, body) => {
    if (head.table !== undefined) return readMarginalsTable(head, head.table, body);
    body.requireOnly(['rates']);
    return new Marginals(head, body.floats('rates', head.dimensions), head.specification, head.likelihoods);
  },
};
