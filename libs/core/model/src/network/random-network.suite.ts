import { BitMatrix } from '@orchard/dataset';
import { exp, log, RandomStream } from '@orchard/numerics';
import { EnsembleBuilder, type Ensemble } from './ensemble.js';
import { Network } from './network.js';
import type { NetworkParts } from './network-parts.js';

/** Networks for tests: seeded, of any size, with trees of every form. */
export interface RandomNetworkOptions {
  readonly dimensions: number;
  readonly trees: number;
  readonly leaves: number;
  readonly seed: number;
  /** Leaf factors lie between its inverse and it. @default 4 */
  readonly strongest?: number;
  /** Chance that a tree goes on splitting the leaf made last, which makes it deep. @default 0.3 */
  readonly lopsided?: number;
  readonly names?: readonly string[] | null;
  readonly shape?: readonly [number, number] | null;
}

export function randomEnsemble(stream: RandomStream, position: number, options: RandomNetworkOptions): Ensemble {
  const { trees, leaves, strongest = 4, lopsided = 0.3 } = options;
  const builder = new EnsembleBuilder(0.5 + stream.uniform());
  for (let tree = 0; tree < trees; tree++) {
    const splits = position === 0 ? 0 : stream.below(leaves);
    const splitLeaf: number[] = [];
    const splitPredictor: number[] = [];
    const splitGain: number[] = [];
    for (let split = 0; split < splits; split++) {
      splitLeaf.push(stream.uniform() < lopsided ? split : stream.below(split + 1));
      splitPredictor.push(stream.below(position));
      splitGain.push(stream.uniform() * 10);
    }
    // by our own exp and log: the host's power differs between versions of Node, and these bytes are held against a
    // hash
    const leafFactor = Array.from({ length: splits + 1 }, () => exp(log(strongest) * (2 * stream.uniform() - 1)));
    builder.push({ splitLeaf, splitPredictor, splitGain, leafFactor });
  }
  return builder.build();
}

export function randomParts(options: RandomNetworkOptions): NetworkParts {
  const { dimensions, seed, names = null, shape = null } = options;
  const stream = new RandomStream(seed, 1000);
  const ordering = Uint32Array.from({ length: dimensions }, (_, column) => column);
  for (let last = dimensions - 1; last > 0; last--) {
    const other = stream.below(last + 1);
    [ordering[last], ordering[other]] = [ordering[other]!, ordering[last]!];
  }
  const ensembles = Array.from(ordering, (_, position) => randomEnsemble(stream, position, options));
  const specification = { leaves: options.leaves, shrinkage: 0.02, dataset: { train: 'ab12', valid: null }, seed };
  return { ordering, names, shape, specification, likelihoods: { train: -1.5, valid: -2, test: null }, ensembles };
}

export function randomNetwork(options: RandomNetworkOptions): Network {
  return new Network(randomParts(options));
}

/** Rows of which many begin alike. */
export function randomMatrix(rows: number, dimensions: number, seed: number, ones = 0.4): BitMatrix {
  const stream = new RandomStream(seed, 1001);
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++) {
    const copied = row > 0 && stream.uniform() < 0.3 ? stream.below(dimensions + 1) : 0;
    for (let dim = 0; dim < dimensions; dim++) {
      const value = dim < copied ? matrix.get(row - 1, dim) : stream.uniform() < ones ? 1 : 0;
      if (value) matrix.set(row, dim, 1);
    }
  }
  return matrix;
}

/** The odds of one row by the definition: each tree's splits are replayed in their order. */
export function replayedOdds(network: NetworkParts, position: number, matrix: BitMatrix, row: number): number {
  const { startOdds, leafCounts, splitLeaf, splitPredictor, leafFactor } = network.ensembles[position]!;
  let odds = startOdds;
  let firstSplit = 0;
  let firstLeaf = 0;
  for (const leaves of leafCounts) {
    let leaf = 0;
    for (let split = 0; split < leaves - 1; split++) {
      const column = network.ordering[splitPredictor[firstSplit + split]!]!;
      if (splitLeaf[firstSplit + split] === leaf && matrix.get(row, column) === 1) leaf = split + 1;
    }
    odds = Math.min(2 ** 900, Math.max(2 ** -900, odds * leafFactor[firstLeaf + leaf]!));
    firstSplit += leaves - 1;
    firstLeaf += leaves;
  }
  return odds;
}

/** Equal in every bit. */
export function equalEnsembles(first: Ensemble, second: Ensemble): boolean {
  return (
    Object.is(first.startOdds, second.startOdds) &&
    equalArrays(first.leafCounts, second.leafCounts) &&
    equalArrays(first.splitLeaf, second.splitLeaf) &&
    equalArrays(first.splitPredictor, second.splitPredictor) &&
    equalArrays(first.splitGain, second.splitGain) &&
    equalArrays(first.leafFactor, second.leafFactor)
  );
}

function equalArrays(first: Uint32Array | Float64Array, second: Uint32Array | Float64Array): boolean {
  return first.length === second.length && first.every((value, index) => Object.is(value, second[index]));
}
