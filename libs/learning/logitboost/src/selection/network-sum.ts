import { roundsOf, type DimensionCurves } from './curves.js';
import { ExactSum, SumGrid } from './exact-sum.js';

/** The likelihoods of one whole model, kept while single dimensions gain or lose trees; O(1) a change. */
export class NetworkSum {
  readonly train: ExactSum;
  readonly valid: ExactSum;
  trees = 0;

  constructor(grids: SumGrids) {
    this.train = new ExactSum(grids.train);
    this.valid = new ExactSum(grids.valid);
  }

  /** The model in which dimension `dim` has `rounds[dim]` trees. */
  static of(curves: readonly DimensionCurves[], rounds: Uint32Array, grids: SumGrids): NetworkSum {
    const sum = new NetworkSum(grids);
    for (const [dim, curve] of curves.entries()) {
      sum.train.add(curve.train[rounds[dim]!]!);
      sum.valid.add(curve.valid[rounds[dim]!]!);
      sum.trees += rounds[dim]!;
    }
    return sum;
  }

  /** Takes one dimension from `from` trees to `to` trees. */
  move(curve: DimensionCurves, from: number, to: number): void {
    this.train.subtract(curve.train[from]!);
    this.train.add(curve.train[to]!);
    this.valid.subtract(curve.valid[from]!);
    this.valid.add(curve.valid[to]!);
    this.trees += to - from;
  }

  copy(other: NetworkSum): void {
    this.train.copy(other.train);
    this.valid.copy(other.valid);
    this.trees = other.trees;
  }

  /** Whether this model is the better choice: a higher validation likelihood, or the same by fewer trees. */
  isBetterThan(other: NetworkSum): boolean {
    const difference = this.valid.compare(other.valid);
    return difference > 0 || (difference === 0 && this.trees < other.trees);
  }
}

export interface SumGrids {
  readonly train: SumGrid;
  readonly valid: SumGrid;
}

/** Grids on which any model from these curves has exact sums; one pass over all points. */
export function gridsFor(curves: readonly DimensionCurves[]): SumGrids {
  let train = 0;
  let valid = 0;
  for (const curve of curves) {
    train += largestMagnitude(curve.train);
    valid += largestMagnitude(curve.valid);
  }
  return { train: new SumGrid(train, curves.length), valid: new SumGrid(valid, curves.length) };
}

function largestMagnitude(curve: Float64Array): number {
  let largest = 0;
  for (let round = 0; round < curve.length; round += 1) largest = Math.max(largest, Math.abs(curve[round]!));
  return largest;
}

export function allRounds(curves: readonly DimensionCurves[]): Uint32Array {
  return Uint32Array.from(curves, roundsOf);
}
