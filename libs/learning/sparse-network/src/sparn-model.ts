import type { BitMatrix } from '@orchard/dataset';
import {
  asBitMatrix,
  blanksOf,
  checkSeed,
  checkWhole,
  completeColumns,
  draws,
  emptyMatrix,
  HeadedModel,
  logProbability,
  madeOfBody,
  scoreCells,
  type BinaryMatrix,
  type BodyArrays,
  type Completion,
  type CompleteOptions,
  type DensityModel,
  type Explained,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
  type Score,
} from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import { learnedFacts, sequentialAnswers } from './learned-facts.js';
import { oddsOf } from './odds.js';
import { readSparnTable } from './sparn-table.js';
import {
  checkWeights,
  ownersWithoutWeights,
  readWeights,
  sumsOf,
  ToldOnes,
  weightArrays,
  weightNames,
  weightShares,
  type SparseWeights,
} from './sparse-weights.js';

const sparnModelFamily = 'sparn';

/** Candidates a row that a completion may ask for. */
export const MOST_SAMPLES = 65_536;

/** P(x) = Π P(x_d | x_1 … x_d-1), the log-odds of each column a sum of an intercept and few weights times x as ±1. */
export class Sparn extends HeadedModel implements DensityModel, Explained {
  readonly family = sparnModelFamily;
  readonly #told: ToldOnes;

  /** @throws RangeError where the weights are none of so many columns */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly sparse: SparseWeights,
  ) {
    super(head);
    checkWeights(sparse);
    this.#told = new ToldOnes(sparse);
  }

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const sums = new Float64Array(rows.rows);
    this.#visitOdds(rows, (row, column, odds) => {
      sums[row]! += logProbability(rows.get(row, column), odds);
      return rows.get(row, column) === 1;
    });
    return sums;
  }

  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    const rows = asBitMatrix(matrix, this.dimensions);
    const cells = new Float64Array(rows.rows * this.dimensions);
    this.#visitOdds(rows, (row, column, odds) => {
      cells[row * this.dimensions + column] = logProbability(rows.get(row, column), odds);
      return rows.get(row, column) === 1;
    });
    return scoreCells(cells, this.dimensions, top);
  }

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    let stream = new RandomStream(seed, Purpose.sample);
    this.#visitOdds(matrix, (row, column, odds) => {
      if (column === 0) stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      const isOne = draws(stream.uniform(), odds);
      if (isOne) matrix.set(row, column, 1);
      return isOne;
    });
    return matrix;
  }

  /** Exact where the known columns come first; otherwise by particles. @default samples 256 */
  complete(values: BinaryMatrix, known: BinaryMatrix, { seed, samples = 256, firstRow }: CompleteOptions): Completion {
    checkSeed(seed);
    const most = Math.min(MOST_SAMPLES, Math.floor(2 ** 31 / (this.dimensions + 1)) - 1);
    checkWhole('samples', samples, 1, most);
    const sums = sumsOf(this.sparse);
    const order = Uint32Array.from({ length: this.dimensions }, (_, column) => column);
    // in the order in which ones are added elsewhere: the same bits
    const asked = { seed, samples, firstRow };
    return completeColumns(blanksOf(values, known, this), asked, order, (column, particles, start) =>
      oddsOf(sums(column, particles, start)),
    );
  }

  /** Of the absolute values of a column's weights. */
  importanceOf(column: number): Float64Array {
    checkWhole('column', column, 0, this.dimensions - 1);
    const { starts } = this.sparse;
    return weightShares(this.sparse, [starts[column]!, starts[column + 1]!], this.dimensions);
  }

  irrelevantVariables(): Uint32Array {
    return ownersWithoutWeights(this.sparse, this.dimensions);
  }

  summary(): ModelSummary {
    const { dimensions, sparse } = this;
    const pairs = (dimensions * (dimensions - 1)) / 2;
    const count = sparse.weights.length;
    const share = pairs === 0 ? '' : `, ${((100 * count) / pairs).toFixed(1)} % of all pairs of columns`;
    const mean = (count / dimensions).toFixed(1);
    return {
      dimensions,
      facts: [
        ['model', 'a sparse autoregressive network: each column by a logistic regression on those before it'],
        ['weights', `${String(count)} that are not 0${share}; ${mean} a column`],
        ...learnedFacts(this.specification),
        sequentialAnswers,
      ],
    };
  }

  protected body(): BodyArrays {
    return weightArrays([this.sparse]);
  }

  /** Visits the odds of a 1 of each value given those before it, row after row; the visitor says whether it is one. */
  #visitOdds({ rows }: BitMatrix, visit: (row: number, column: number, odds: number) => boolean): void {
    const told = this.#told;
    const logOdds = new Float64Array(this.dimensions);
    for (let row = 0; row < rows; row++) {
      logOdds.set(told.bases);
      for (let column = 0; column < logOdds.length; column++)
        if (visit(row, column, oddsOf(logOdds[column]!))) told.tell(column, logOdds);
    }
  }
}

export const sparnCodec: ModelCodec = {
  family: sparnModelFamily,
  read: (head, body) => {
    if (head.table !== undefined) return readSparnTable(head, head.table, body);
    body.requireOnly(weightNames());
    const [sparse] = readWeights(body, [head.dimensions]);
    return madeOfBody(
      'of each column an intercept, and weights of columns before it, ascending',
      () => new Sparn(head, sparse!),
    );
  },
};
