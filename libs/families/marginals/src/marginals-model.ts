import type { BitMatrix } from '@orchard/dataset';
import {
  ExactModel,
  NumberArray,
  type BodyArrays,
  type JsonValue,
  type Likelihoods,
  type ModelCodec,
  type ModelSummary,
  type SearchableDistribution,
  type Variables,
} from '@orchard/model';
import { log } from '@orchard/numerics';
import { marginalsFamily, readMarginalsTable } from './marginals-table.js';

export { MarginalsTable } from './marginals-table.js';

/** A product of Bernoullis: every column on its own, P(x) = prod p_d^x_d (1 - p_d)^(1 - x_d). */
export class Marginals extends ExactModel {
  readonly family = marginalsFamily;
  protected readonly distribution: Independent;

  /** @param rates P(x_d = 1) of each column, strictly between 0 and 1 */
  constructor(
    variables: Variables,
    readonly rates: Float64Array,
    specification: JsonValue,
    likelihoods: Likelihoods,
  ) {
    const { dimensions, names, shape } = variables;
    super({ dimensions, names, shape, specification, likelihoods });
    this.distribution = new Independent(rates);
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

  protected body(): BodyArrays {
    return { rates: NumberArray.ofFloats([this.rates]) };
  }
}

/** What is known of a row says nothing about the rest of it. */
class Independent implements SearchableDistribution {
  /** log P(0) and log P(1) of each column. */
  readonly #logs: readonly [Float64Array, Float64Array];

  constructor(readonly rates: Float64Array) {
    this.#logs = [rates.map((rate) => log(1 - rate)), rates.map((rate) => log(rate))];
  }

  logProbability(values: Uint8Array): number {
    return values.reduce((sum, value, dim) => sum + this.#logs[value as 0 | 1][dim]!, 0);
  }

  cellsInto(values: Uint8Array, cells: Float64Array, offset: number): void {
    values.forEach((value, dim) => {
      cells[offset + dim] = this.#logs[value as 0 | 1][dim]!;
    });
  }

  logEvidence(values: BitMatrix, known: BitMatrix, row: number): number {
    let sum = 0;
    for (let dim = 0; dim < this.rates.length; dim++)
      if (known.get(row, dim) === 1) sum += this.#logs[values.get(row, dim)][dim]!;
    return sum;
  }

  drawInto(values: BitMatrix, known: BitMatrix, row: number, uniform: () => number): number {
    const evidence = this.logEvidence(values, known, row);
    this.rates.forEach((rate, dim) => {
      const isOne = uniform() < rate;
      if (known.get(row, dim) === 0) values.set(row, dim, isOne);
    });
    return evidence;
  }

  marginalsInto(values: BitMatrix, known: BitMatrix, row: number, rates: Float64Array, offset: number): number {
    this.rates.forEach((rate, dim) => {
      rates[offset + dim] = known.get(row, dim) === 1 ? values.get(row, dim) : rate;
    });
    return this.logEvidence(values, known, row);
  }

  /** Of 0 and 1 that are as probable 0. */
  mostProbableInto(values: BitMatrix, known: BitMatrix, row: number): number {
    let sum = 0;
    this.rates.forEach((rate, dim) => {
      if (known.get(row, dim) === 0) values.set(row, dim, rate > 0.5);
      sum += this.#logs[values.get(row, dim)][dim]!;
    });
    return sum;
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
