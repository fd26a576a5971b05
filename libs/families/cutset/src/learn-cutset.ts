import type { BitMatrix } from '@orchard/dataset';
import { chowLiuForest, productForest, PairCounter, PairCounts, SmoothedPairs } from '@orchard/forests';
import type { RandomStream } from '@orchard/numerics';
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
  /** Pseudocount of each value of a pair. */
  readonly pseudoCount: number;
}

/**
 * Learns one cutset network of the rows of a matrix. Rows are divided by one column after another; where there are few
 * of them, or few columns, those left make a leaf. The share of the rows with a 1 is the probability of a 1.
 *
 * @param times how often each row of the matrix counts
 * @param counter counts in its own memory, which many networks may have in turn
 */
export function learnCutset(
  matrix: BitMatrix,
  times: Uint32Array,
  options: CutsetOptions,
  stream: RandomStream,
  counter = new PairCounter(),
): CutsetNode {
  const { choose, minRows, minColumns, leafModel, pseudoCount } = options;
  const { bytes, stride, dimensions } = matrix;
  const all = Uint32Array.from({ length: dimensions }, (_, column) => column);
  const rows = new Uint32Array(times.length);
  let differing = 0;
  let total = 0;
  for (let row = 0; row < times.length; row++) {
    if (times[row] === 0) continue;
    rows[differing++] = row;
    total += times[row]!;
  }
  const pairs = new SmoothedPairs(new PairCounts(0, 0, new Uint32Array()), pseudoCount);
  const likelihood = choose === 'likelihood' ? new LikelihoodChoice(matrix, times, pairs) : null;

  /** @param count how many rows `from` to `to` are, each as often as it counts */
  const grow = (from: number, to: number, count: number, columns: Uint32Array): CutsetNode => {
    const own = rows.subarray(from, to);
    const chosen = count > minRows && columns.length > minColumns ? choice(own, count, columns) : null;
    if (chosen === null) {
      pairs.counts = counter.countRepeated(matrix, own, times, columns);
      const places = all.subarray(0, columns.length);
      return { forest: (leafModel === 'product' ? productForest : chowLiuForest)(pairs, places, columns).forest };
    }
    const { column, zeros } = chosen;
    const middle = from + zeros.rows;
    const left = without(columns, column);
    const ones = count - zeros.count;
    const zero = grow(from, middle, zeros.count, left);
    return { column, rate: ones / count, zero, one: grow(middle, to, ones, left) };
  };

  /** Puts the rows with a 0 first. */
  const divide = (own: Uint32Array, column: number): Zeros => {
    const byte = column >> 3;
    const bit = 0x80 >> (column & 7);
    let zeros = 0;
    let count = 0;
    for (let at = 0; at < own.length; at++) {
      const row = own[at]!;
      if ((bytes[row * stride + byte]! & bit) !== 0) continue;
      own[at] = own[zeros]!;
      own[zeros++] = row;
      count += times[row]!;
    }
    return { rows: zeros, count };
  };

  /** The column to ask, and the rows divided by it; null where none divides them, or none is worth it. */
  const choice = (own: Uint32Array, count: number, columns: Uint32Array): Chosen | null => {
    if (choose === 'random') return randomChoice(own, columns);
    pairs.counts = counter.countRepeated(matrix, own, times, columns);
    const dividing = all.subarray(0, columns.length).filter((place) => {
      const ones = pairs.counts.together(place, place);
      return ones > 0 && ones < count;
    });
    if (dividing.length === 0) return null;
    const place = likelihood === null ? entropyChoice(pairs, dividing) : likelihood.choose(own, columns, dividing);
    return place === null ? null : { column: columns[place]!, zeros: divide(own, columns[place]!) };
  };

  const randomChoice = (own: Uint32Array, columns: Uint32Array): Chosen | null => {
    const left = columns.slice();
    for (let open = left.length; open > 0; open--) {
      const at = stream.below(open);
      const column = left[at]!;
      const zeros = divide(own, column);
      if (zeros.rows > 0 && zeros.rows < own.length) return { column, zeros };
      left[at] = left[open - 1]!;
    }
    return null;
  };

  return grow(0, differing, total, all);
}

function without(columns: Uint32Array, column: number): Uint32Array {
  const left = new Uint32Array(columns.length - 1);
  let at = 0;
  for (const other of columns) if (other !== column) left[at++] = other;
  return left;
}

/** The rows of a node with a 0: those that differ, and all. */
interface Zeros {
  readonly rows: number;
  readonly count: number;
}

interface Chosen {
  readonly column: number;
  readonly zeros: Zeros;
}
