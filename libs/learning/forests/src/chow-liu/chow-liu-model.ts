import {
  checkWhole,
  ExactModel,
  NumberArray,
  type BodyArrays,
  type Explained,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { Forest } from '../forest.js';
import { chowLiuFamily, contradiction } from './chow-liu-family.js';
import { readChowLiuTable } from './chow-liu-table.js';
import { edgesOf, irrelevantIn, neighboursShares, summaryOfForest } from './edges.js';

export interface ChowLiuParts extends Omit<ModelHead, 'family'> {
  /** Of all columns, in stored order. */
  readonly forest: Forest;
  /** I(column; its parent) in nats, by column; 0 of roots. */
  readonly information: Float64Array;
}

/**
 * A tree of columns, or a forest: P(x) = ∏ P(x_d | x_parent(d)), the tree of most likelihood (Chow and Liu, 1968). Any
 * question about known and unknown values is answered exactly, in O(D) a row.
 */
export class ChowLiu extends ExactModel implements Explained {
  readonly family = chowLiuFamily;
  readonly information: Float64Array;
  protected readonly distribution: Forest;

  constructor(parts: ChowLiuParts) {
    super(parts);
    this.distribution = parts.forest;
    this.information = parts.information;
  }

  /** Of each column, -1 of a root. */
  get parents(): Int32Array {
    return this.distribution.parents;
  }

  /** P(1 | parent is 0) and P(1 | parent is 1) of each column; of a root twice the same. */
  get rates(): Float64Array {
    return this.distribution.rates;
  }

  get edges(): number {
    return edgesOf(this.parents);
  }

  /** The neighbours' shares in the mutual information of a column's edges: its predictors, all of them. */
  importanceOf(column: number): Float64Array {
    checkWhole('column', column, 0, this.dimensions - 1);
    return neighboursShares(this, column);
  }

  /** Those without an edge. */
  irrelevantVariables(): Uint32Array {
    return irrelevantIn(this.parents);
  }

  summary(): ModelSummary {
    return summaryOfForest(this, 'columns', [['entropy', `${this.distribution.entropy().toFixed(3)} nats per row`]]);
  }

  protected body(): BodyArrays {
    return {
      parents: NumberArray.ofIntegers([Uint32Array.from(this.parents, (parent) => parent + 1)]),
      rates: NumberArray.ofFloats([this.rates]),
      information: NumberArray.ofFloats([this.information]),
    };
  }
}

export const chowLiuCodec: ModelCodec = {
  family: chowLiuFamily,
  read: (head, body) => {
    if (head.table !== undefined) return readChowLiuTable(head, head.table, body);
    body.requireOnly(['parents', 'rates', 'information']);
    const { dimensions } = head;
    const parents = Int32Array.from(body.integers('parents', dimensions), (parent) => parent - 1);
    const rates = body.floats('rates', 2 * dimensions);
    const information = body.floats('information', dimensions);
    const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
    if (!information.every((nats) => Number.isFinite(nats)))
      throw contradiction('information', 'a number that is none');
    try {
      return new ChowLiu({ ...head, forest: new Forest(columns, parents, rates), information });
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw contradiction('parents', cause.message, cause);
    }
  },
};
