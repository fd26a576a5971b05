import type { BitMatrix } from '@orchard/dataset';
import { log1p } from '@orchard/numerics';
import { visitOdds, visitOddsAt, type Conditionals } from '../network/conditional-odds.js';

/** log P(value) in nats under odds of a 1. */
export function logProbability(value: 0 | 1, odds: number): number {
  return value === 1 ? -log1p(1 / odds) : -log1p(odds);
}

/** log P(row) in nats of every row: summed over the conditionals in the order of the ordering. */
export function rowLogLikelihoods(conditionals: Conditionals, matrix: BitMatrix): Float64Array {
  const sums = new Float64Array(matrix.rows);
  visitOdds(conditionals, matrix, (position, firstRow, odds) => {
    const dim = conditionals.ordering[position]!;
    for (let i = 0; i < odds.length; i++) {
      sums[firstRow + i]! += logProbability(matrix.get(firstRow + i, dim), odds[i]!);
    }
  });
  return sums;
}

/** log P(value | earlier values) in nats, summed over the rows; by stored column. */
export function columnLogLikelihoods(conditionals: Conditionals, matrix: BitMatrix): Float64Array {
  const sums = new Float64Array(matrix.dimensions);
  visitOdds(conditionals, matrix, (position, firstRow, odds) => {
    const dim = conditionals.ordering[position]!;
    let sum = 0;
    for (let i = 0; i < odds.length; i++) sum += logProbability(matrix.get(firstRow + i, dim), odds[i]!);
    sums[dim]! += sum;
  });
  return sums;
}

/** log P(value | earlier values) in nats: element `row * D + dim`. */
export function cellLogLikelihoods(conditionals: Conditionals, matrix: BitMatrix): Float64Array {
  const cells = new Float64Array(matrix.rows * matrix.dimensions);
  visitOdds(conditionals, matrix, (position, firstRow, odds) => {
    const dim = conditionals.ordering[position]!;
    for (let i = 0; i < odds.length; i++) {
      const row = firstRow + i;
      cells[row * matrix.dimensions + dim] = logProbability(matrix.get(row, dim), odds[i]!);
    }
  });
  return cells;
}

/** P(1 | earlier values) of every row for the conditional at `position`. */
export function probabilities(conditionals: Conditionals, matrix: BitMatrix, position: number): Float64Array {
  const result = new Float64Array(matrix.rows);
  visitOddsAt(conditionals, position, matrix, (firstRow, odds) => {
    for (let i = 0; i < odds.length; i++) result[firstRow + i] = odds[i]! / (1 + odds[i]!);
  });
  return result;
}

/** Mean over the rows of each conditional's entropy given the row's earlier values, in nats; by stored column. */
export function meanEntropies(conditionals: Conditionals, matrix: BitMatrix): Float64Array {
  const means = new Float64Array(matrix.dimensions);
  visitOdds(conditionals, matrix, (position, _, odds) => {
    let sum = 0;
    for (const value of odds) {
      // -p log p - q log q
      sum += (value / (1 + value)) * log1p(1 / value) + (1 / (1 + value)) * log1p(value);
    }
    means[conditionals.ordering[position]!]! += sum / matrix.rows;
  });
  return means;
}
