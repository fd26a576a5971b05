import { codeCount } from '@orchard/dataset';
import { CodeForest, Forest, piecesOf } from '@orchard/forests';
import {
  ExactModel,
  ExactTableModel,
  madeOfBody,
  NumberArray,
  type BodyArrays,
  type JsonValue,
  type Likelihoods,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
  type Variables,
} from '@orchard/model';

export const marginalsFamily = 'marginals';

/** Every column on its own, P(x) = prod p_d^x_d (1 - p_d)^(1 - x_d): a forest without edges. */
export class Marginals extends ExactModel {
  readonly family = marginalsFamily;
  protected readonly distribution: Forest;

  /**
   * @param rates P(x_d = 1) of each column
   * @throws RangeError where one is not strictly between 0 and 1
   */
  constructor(
    variables: Variables,
    readonly rates: Float64Array,
    specification: JsonValue,
    likelihoods: Likelihoods,
  ) {
    const { dimensions, names, shape } = variables;
    super({ dimensions, names, shape, specification, likelihoods });
    const given = Float64Array.from({ length: 2 * rates.length }, (_, at) => rates[at >> 1]!);
    this.distribution = new Forest(Uint32Array.from(rates.keys()), new Int32Array(rates.length).fill(-1), given);
  }

  summary(): ModelSummary {
    return summaryOf(this, 'column', `${this.distribution.entropy().toFixed(3)} nats per row`);
  }

  protected body(): BodyArrays {
    return { rates: NumberArray.ofFloats([this.rates]) };
  }
}

/** The same of a table: every variable on its own, by the shares of its codes. */
export class MarginalsTable extends ExactTableModel {
  readonly family = marginalsFamily;
  protected readonly distribution: CodeForest;

  /** @param shares P(code) of each variable, above 0 */
  constructor(
    head: Pick<ModelHead, 'specification' | 'likelihoods'> & { readonly table: NonNullable<ModelHead['table']> },
    readonly shares: readonly Float64Array[],
  ) {
    super(head);
    const [parent, given] = [-1, Float64Array.of(1)];
    this.distribution = new CodeForest(
      shares.map((within) => ({ parent, groupOf: new Uint16Array(within.length), within, given })),
    );
  }

  /** No variable predicts another. */
  importanceOf(): Float64Array {
    return new Float64Array(this.variables);
  }

  irrelevantVariables(): Uint32Array {
    return Uint32Array.from(this.shares.keys());
  }

  summary(): ModelSummary {
    return summaryOf(this, 'variable', `${this.distribution.entropy().toFixed(3)} nats per row, of codes`);
  }

  protected body(): BodyArrays {
    return { shares: NumberArray.ofFloats(this.shares) };
  }
}

function summaryOf({ dimensions }: Variables, column: string, entropy: string): ModelSummary {
  return {
    dimensions,
    facts: [
      ['model', `every ${column} on its own`],
      ['entropy', entropy],
    ],
  };
}

export const marginalsCodec: ModelCodec = {
  family: marginalsFamily,
  read: (head, body) => {
    const { table, dimensions, specification, likelihoods } = head;
    if (table === undefined) {
      body.requireOnly(['rates']);
      const rates = body.floats('rates', dimensions);
      return madeOfBody('rates between 0 and 1', () => new Marginals(head, rates, specification, likelihoods), 'rates');
    }
    body.requireOnly(['shares']);
    const sizes = table.variables.map(codeCount);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    const shares = piecesOf(body.floats('shares', all), sizes);
    return madeOfBody(
      'shares above 0 that sum to 1 in each variable',
      () => new MarginalsTable({ ...head, table }, shares),
      'shares',
    );
  },
};
