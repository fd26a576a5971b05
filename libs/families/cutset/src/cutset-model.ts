import { Forest } from '@orchard/forests';
import {
  ExactModel,
  ModelError,
  NumberArray,
  type BodyArrays,
  type ModelBody,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { CutsetTree, isLeaf, type CutsetNode } from './cutset-tree.js';

export const cutsetFamily = 'cutset';

/** Deeper, every row would have been asked more columns than a stack of calls bears. */
const MOST_CONDITIONS = 4096;

/**
 * A cutset network: conditions on columns, and under them forests of the columns left (Rahman, Kothalkar and Gogate,
 * 2014).
 */
export class Cutset extends ExactModel {
  readonly family = cutsetFamily;
  protected readonly distribution: CutsetTree;

  constructor(head: Omit<ModelHead, 'family'>, tree: CutsetTree) {
    super(head);
    this.distribution = tree;
  }

  get tree(): CutsetTree {
    return this.distribution;
  }

  summary(): ModelSummary {
    const nodes = [...this.tree.nodes()];
    const leaves = nodes.filter(({ node }) => isLeaf(node));
    const deepest = nodes.reduce((most, { depth }) => Math.max(most, depth), 0);
    const edges = leaves.reduce(
      (sum, { node }) => sum + (isLeaf(node) ? node.forest.parents.filter((parent) => parent >= 0).length : 0),
      0,
    );
    return {
      dimensions: this.dimensions,
      facts: [
        [
          'model',
          edges > 0 ? 'a cutset network with trees in its leaves' : 'a cutset network with products in its leaves',
        ],
        [
          'conditions',
          `${String(nodes.length - leaves.length)}, at most ${String(deepest)} of a row; ${String(leaves.length)} leaves`,
        ],
        ['answers', 'exactly: likelihoods, marginals, conditionals, completions, most probable completions'],
      ],
    };
  }

  protected body(): BodyArrays {
    const conditions: number[] = [];
    const rates: number[] = [];
    const leaves: Forest[] = [];
    for (const { node } of this.tree.nodes()) {
      conditions.push(isLeaf(node) ? 0 : node.column + 1);
      if (isLeaf(node)) leaves.push(node.forest);
      else rates.push(node.rate);
    }
    return {
      conditions: NumberArray.ofIntegers([Uint32Array.from(conditions)]),
      rates: NumberArray.ofFloats([Float64Array.from(rates)]),
      leafParents: NumberArray.ofIntegers(leaves.map(({ parents }) => new Uint32Array(parents.map((own) => own + 1)))),
      leafRates: NumberArray.ofFloats(leaves.map((leaf) => leaf.rates)),
    };
  }
}

export const cutsetCodec: ModelCodec = {
  family: cutsetFamily,
  read: (head, body) => {
    body.requireOnly(['conditions', 'rates', 'leafParents', 'leafRates']);
    try {
      return new Cutset(head, new CutsetTree(readNodes(head.dimensions, body)));
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw contradiction(cause.message, cause);
    }
  },
};

/** @throws RangeError, ModelError where the arrays are not a tree */
function readNodes(dimensions: number, body: ModelBody): CutsetNode {
  const inner = body.bytes('rates').length / 8;
  const rates = body.floats('rates', inner);
  const conditions = body.integers('conditions', 2 * inner + 1);
  const places = body.bytes('leafRates').length / 16;
  const leafRates = body.floats('leafRates', 2 * places);
  const leafParents = body.integers('leafParents', places);
  let node = 0;
  let rate = 0;
  let place = 0;
  const next = (columns: Uint32Array, depth: number): CutsetNode => {
    if (node >= conditions.length) throw contradiction('fewer nodes than conditions need');
    const condition = conditions[node++]!;
    if (condition === 0) {
      const end = place + columns.length;
      if (end > places) throw contradiction('fewer columns in leaves than are left');
      const parents = Int32Array.from(leafParents.subarray(place, end), (parent) => parent - 1);
      const forest = new Forest(columns, parents, leafRates.slice(2 * place, 2 * end));
      place = end;
      return { forest };
    }
    const column = condition - 1;
    const own = rates[rate++]!;
    if (!columns.includes(column)) throw contradiction(`the column ${String(column)}, which was asked or is none`);
    if (!(own > 0 && own < 1)) throw contradiction(`a rate of ${String(own)}`);
    if (columns.length < 2 || depth >= MOST_CONDITIONS) throw contradiction('more conditions than columns');
    const left = columns.filter((other) => other !== column);
    const zero = next(left, depth + 1);
    return { column, rate: own, zero, one: next(left, depth + 1) };
  };
  const root = next(
    Uint32Array.from({ length: dimensions }, (_, column) => column),
    0,
  );
  if (node !== conditions.length || place !== places) throw contradiction('more nodes than the tree has');
  return root;
}

function contradiction(got: string, cause?: unknown): ModelError {
  const expected = 'a tree of conditions, each on a column not asked before, with forests of the others in its leaves';
  const remedy = 'Get the file again from where it was made.';
  return new ModelError('not-a-network-file', { got, expected, where: 'conditions', remedy }, { cause });
}
