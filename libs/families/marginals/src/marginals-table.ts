import { codeCount } from '@orchard/dataset';
import { CodeForest } from '@orchard/forests';
import {
  ExactTableModel,
  madeOfBody,
  NumberArray,
  type BodyArrays,
  type ModelBody,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';

export const marginalsFamily = 'marginals';

type Table = NonNullable<ModelHead['table']>;

/** Every variable of a table on its own, by the shares of its codes. */
export class MarginalsTable extends ExactTableModel {
  readonly family = marginalsFamily;
  protected readonly distribution: CodeForest;

  /** @param shares P(code) of each variable, above 0 */
  constructor(
    head: Pick<ModelHead, 'specification' | 'likelihoods'> & { readonly table: Table },
    readonly shares: readonly Float64Array[],
  ) {
    super(head);
    this.distribution = new CodeForest(
      shares.map((within) => ({
        parent: -1,
        groupOf: new Uint16Array(within.length),
        within,
        given: Float64Array.of(1),
      })),
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
    return {
      dimensions: this.dimensions,
      facts: [
        ['model', 'every variable on its own'],
        ['entropy', `${this.distribution.entropy().toFixed(3)} nats per row, of codes`],
      ],
    };
  }

  protected body(): BodyArrays {
    return { shares: NumberArray.ofFloats(this.shares) };
  }
}

/** @throws ModelError where the arrays contradict the table */
export function readMarginalsTable(head: ModelHead, table: Table, body: ModelBody): MarginalsTable {
  body.requireOnly(['shares']);
  const sizes = table.variables.map(codeCount);
  const all = body.floats(
    'shares',
    sizes.reduce((sum, size) => sum + size, 0),
  );
  let from = 0;
  const shares = sizes.map((size) => {
    from += size;
    return all.slice(from - size, from);
  });
  return madeOfBody(
    'shares above 0 that sum to 1 in each variable',
    () => new MarginalsTable({ ...head, table }, shares),
    'shares',
  );
}
