import {
  checkWhole,
  ColumnValues,
  madeOfBody,
  type BodyArrays,
  type ColumnStates,
  type Explained,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { learnedFacts, sequentialAnswers } from './learned-facts.js';
import { OddsModel } from './odds-model.js';
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

/** P(x) = Π P(x_d | x_1 … x_d-1), the log-odds of each column a sum of an intercept and few weights times x as ±1. */
export class Sparn extends OddsModel implements Explained {
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

  protected override visitOdds(rows: number, visit: (row: number, column: number, odds: number) => 0 | 1): void {
    const told = this.#told;
    const logOdds = new Float64Array(this.dimensions);
    for (let row = 0; row < rows; row++) {
      logOdds.set(told.bases);
      for (let column = 0; column < logOdds.length; column++)
        if (visit(row, column, oddsOf(logOdds[column]!)) === 1) told.tell(column, logOdds);
    }
  }

  /** In the order in which ones are added elsewhere: the same bits. */
  protected override statesOf(): (particles: number) => ColumnStates {
    const sums = sumsOf(this.sparse);
    return (particles) =>
      new ColumnValues(particles, this.dimensions, (column, values, start) => oddsOf(sums(column, values, start)));
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
