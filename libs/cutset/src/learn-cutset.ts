import type { BitMatrix } from '@orchard/dataset';
import { chowLiuForest, productForest } from '@orchard/forests';
import type { RandomStream } from '@orchard/numerics';
import { PairCounter, SmoothedPairs } from '@orchard/pairs';
import { entropyChoice, LikelihoodChoice } from './choose-column.js';
import type { CutsetNode } from './cutset-tree.js';

/** How one network is learned: LearnCNet of the slides. */
export interface CutsetOptions {
  readonly choose: 'random' | 'entropy' | 'likelihood';
  /** δ: a node of more rows asks a column, if it has more columns than σ too. */
  readonly minRows: number;
  /** σ */
  readonly minColumns: number;
  readonly leafModel: 'chow-liu' | 'product';
  /** Rows that nobody saw, of each value of a pair. */
  readonly pseudoCount: number;
}

/**
 * Learns one cutset network of some rows of a matrix, each as often as it is named. Rows are divided by one column after another; where
 * there are few of them, or few columns, those left make a leaf. The share of the rows with a 1 is the probability of a 1.
 *
 * @param rows are put into another order
 */
export function learnCutset(
  matrix: BitMatrix,
  rows: Uint32Array,
  options: CutsetOptions,
  stream: RandomStream,
): CutsetNode {
  const { choose, minRows, minColumns, leafModel, pseudoCount } = options;
  const counter = new PairCounter();
  const pairs = new SmoothedPairs(counter.count(matrix, rows), pseudoCount, rows.length);
  const likelihood = choose === 'likelihood' ? new LikelihoodChoice(matrix, pairs, rows.length) : null;
  const { bytes, stride } = matrix;

  const grow = (from: number, to: number, columns: Uint32Array): CutsetNode => {
    const own = rows.subarray(from, to);
    const chosen = own.length > minRows && columns.length > minColumns ? choice(own, columns) : null;
    if (chosen === null) {
      pairs.counts = counter.count(matrix, own);
      return { forest: (leafModel === 'product' ? productForest : chowLiuForest)(pairs, columns).forest };
    }
    const middle = from + divide(own, chosen);
    const left = columns.filter((column) => column !== chosen);
    const rate = (to - middle) / own.length;
    return { column: chosen, rate, zero: grow(from, middle, left), one: grow(middle, to, left) };
  };

  /** Puts the rows with a 0 first. @returns how many they are */
  const divide = (own: Uint32Array, column: number): number => {
    const byte = column >> 3;
    const bit = 0x80 >> (column & 7);
    let zeros = 0;
    for (let at = 0; at < own.length; at++) {
      const row = own[at]!;
      if ((bytes[row * stride + byte]! & bit) !== 0) continue;
      own[at] = own[zeros]!;
      own[zeros++] = row;
    }
    return zeros;
  };

  /** The column to ask; null where none divides the rows, or none is worth it. */
  const choice = (own: Uint32Array, columns: Uint32Array): number | null => {
    if (choose === 'random') return randomChoice(own, columns);
    pairs.counts = counter.count(matrix, own);
    const dividing = columns.filter((column) => {
      const ones = pairs.counts.together(column, column);
      return ones > 0 && ones < own.length;
    });
    if (dividing.length === 0) return null;
    return likelihood === null ? entropyChoice(pairs, dividing) : likelihood.choose(own, columns, dividing);
  };

  const randomChoice = (own: Uint32Array, columns: Uint32Array): number | null => {
    const left = columns.slice();
    for (let open = left.length; open > 0; open--) {
      const at = stream.below(open);
      const column = left[at]!;
      const zeros = divide(own, column);
      if (zeros > 0 && zeros < own.length) return column;
      left[at] = left[open - 1]!;
    }
    return null;
  };

  return grow(
    0,
    rows.length,
    Uint32Array.from({ length: matrix.dimensions }, (_, column) => column),
  );
}
