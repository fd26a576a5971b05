import type { Table } from '@orchard/contracts';
import { mostTogether, productsOfSets, TableClasses, TableExperts } from './table-experts/index.js';
import {
  checkWhole,
  CodeMixture,
  madeOfBody,
  NumberArray,
  RowTableModel,
  type BodyArrays,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { factsOf } from './partition-body.js';

/** Of its own, so that releases which know partitions of bits alone say that they do not know it. */
const tablePartitionFamily = 'table-partition';

/**
 * A row of a table is drawn by experts that each take part or not, and each variable by what those that do make of it
 * by their expertise (thesis, 4.4). At least one takes part, and no more than leave few enough sets to sum over: so
 * every answer is exact.
 */
export class TablePartition extends RowTableModel {
  readonly family = tablePartitionFamily;
  declare readonly likelihoodIs?: never;
  #mixture: CodeMixture | null = null;

  /** @throws RangeError where there are so many experts that not even one by one they can be asked */
  constructor(
    head: Pick<ModelHead, 'specification' | 'likelihoods'> & { readonly table: Table },
    readonly experts: TableExperts,
  ) {
    super(head);
    if (this.together === 0) throw new RangeError(`${String(experts.count)} experts, which are too many`);
  }

  /** How many experts take part in a row at most. */
  get together(): number {
    return mostTogether(this.experts.count, this.experts.classes.codes);
  }

  /** What each other variable says of one, by itself: their mutual information. */
  importanceOf(index: number): Float64Array {
    checkWhole('variable', index, 0, this.variables - 1);
    const shares = Float64Array.from({ length: this.variables }, (_, other) =>
      other === index ? 0 : this.distribution.information(index, other),
    );
    const total = shares.reduce((sum, share) => sum + share, 0);
    return total > 0 ? shares.map((share) => share / total) : shares;
  }

  /** None, but of a single expert all: experts differ in every variable by a little. */
  irrelevantVariables(): Uint32Array {
    return Uint32Array.from(this.experts.count > 1 ? [] : this.table.variables.keys());
  }

  summary(): ModelSummary {
    const { together, experts } = this;
    const limit: ModelSummary['facts'] =
      together < experts.count
        ? [['at most', `${String(together)} of them in a row, so that all sets can be summed over`]]
        : [];
    return {
      dimensions: this.dimensions,
      facts: [
        ...factsOf(experts),
        ...limit,
        ['answers', 'exactly: likelihoods, marginals, conditionals, completions; not the most probable completion'],
      ],
    };
  }

  /** Made where it is first asked for: most files of a run's steps are only read. */
  protected get distribution(): CodeMixture {
    if (this.#mixture === null) {
      const { weights, chances } = productsOfSets(this.experts);
      this.#mixture = new CodeMixture(weights, chances);
    }
    return this.#mixture;
  }

  protected body(): BodyArrays {
    const { active, expertise, shares, means, variances } = this.experts;
    return {
      active: NumberArray.ofFloats([active]),
      expertise: NumberArray.ofFloats([expertise]),
      shares: NumberArray.ofFloats([shares]),
      means: NumberArray.ofFloats([means]),
      variances: NumberArray.ofFloats([variances]),
    };
  }
}

export const tablePartitionCodec: ModelCodec = {
  family: tablePartitionFamily,
  read: (head, body) => {
    const { table } = head;
    body.requireOnly(['active', 'expertise', 'shares', 'means', 'variances']);
    const count = body.bytes('active').length / 8;
    return madeOfBody(
      'a table, and one expert at least, with levels above 0, shares that sum to 1, means and variances',
      () => {
        if (table === undefined) throw new RangeError('columns of bits');
        const classes = new TableClasses(table);
        const cells = count * table.variables.length;
        const experts = new TableExperts(classes, {
          active: body.floats('active', count),
          expertise: body.floats('expertise', cells),
          shares: body.floats('shares', count * classes.classes),
          means: body.floats('means', cells),
          variances: body.floats('variances', cells),
        });
        return new TablePartition({ ...head, table }, experts);
      },
    );
  },
};
