import type { BitMatrix } from '@orchard/dataset';
import { Purpose, exp, philox4x32 } from '@orchard/numerics';
import { chunkRows } from './conditional-odds.js';
import type { Ensemble } from './ensemble.js';
import type { Evaluator } from './evaluator.js';
import { logProbability } from './likelihood.js';
import { draws } from './sampling.js';

/** Rows with their unknown values drawn. */
export interface Completion {
  readonly matrix: BitMatrix;
  /**
   * Of each row: how many independent draws the candidates were worth, `(sum w)^2 / sum w^2`, from 1 to `samples`. Near 1
   * the known values contradict what the network expects, and the completion is hardly random: ask for more samples.
   */
  readonly effectiveSampleSize: Float64Array;
  /** Of each row: 1 where the draw is from the exact conditional distribution, 0 where it is approximate. */
  readonly exact: Uint8Array;
}

/**
 * Draws the unknown values of each row given its known ones.
 *
 * A row whose known values come first in the ordering is continued by ancestral sampling: exact, at the cost of one row.
 * For any other row `samples` candidates are drawn: unknown values by ancestral sampling, known ones as they are, the
 * candidate's weight being the product of the probabilities of the known values after the first unknown one; then one
 * candidate is taken with probability in proportion to its weight (importance resampling). That tends to the exact
 * distribution as `samples` grows, at the cost of `samples` rows.
 *
 * Row r uses random stream (seed, complete, r): number `candidate * E + position` of it, where E is D rounded up to an even
 * number, and number `samples * E` for the choice.
 */
export function completeInto(
  evaluator: Evaluator,
  result: BitMatrix,
  known: BitMatrix,
  ensembles: readonly Ensemble[],
  ordering: Uint32Array,
  seed: number,
  samples: number,
): Completion {
  const effectiveSampleSize = new Float64Array(result.rows).fill(samples);
  const exact = new Uint8Array(result.rows);
  const firstUnknown = new Uint32Array(result.rows);
  for (let row = 0; row < result.rows; row++) {
    let position = 0;
    while (position < ordering.length && known.get(row, ordering[position]!) === 1) position++;
    firstUnknown[row] = position;
    while (position < ordering.length && known.get(row, ordering[position]!) === 0) position++;
    exact[row] = position === ordering.length ? 1 : 0;
  }
  const size = Math.max(samples, chunkRows(ordering.length));
  const weights = new Float64Array(size);
  const odds = new Float64Array(size);
  const following = new Float64Array(size);
  const bits = new Uint32Array(4);
  const numbers = ordering.length + (ordering.length % 2);
  for (let firstRow = 0; firstRow < result.rows;) {
    // as many rows as their candidates fit
    const rowOf: number[] = [];
    const firstCandidate: number[] = [];
    let row = firstRow;
    for (; row < result.rows; row++) {
      const candidates = exact[row] === 1 ? 1 : samples;
      if (rowOf.length + candidates > size) break;
      firstCandidate.push(rowOf.length);
      for (let candidate = 0; candidate < candidates; candidate++) rowOf.push(row);
    }
    firstCandidate.push(rowOf.length);
    const columns = drawCandidates(rowOf, firstRow, firstCandidate);
    for (let done = firstRow; done < row; done++) {
      const from = firstCandidate[done - firstRow]!;
      const to = firstCandidate[done - firstRow + 1]!;
      const chosen = exact[done] === 1 ? from : choose(done, from, to);
      for (let position = firstUnknown[done]!; position < ordering.length; position++) {
        const bit = (columns.words[position * columns.stride + (chosen >> 5)]! >>> (chosen & 31)) & 1;
        if (known.get(done, ordering[position]!) === 0) result.set(done, ordering[position]!, bit === 1);
      }
    }
    firstRow = row;
  }
  return { matrix: result, effectiveSampleSize, exact };

  function drawCandidates(rowOf: readonly number[], firstRow: number, firstCandidate: readonly number[]) {
    const columns = evaluator.columns(rowOf.length, ordering.length);
    const { words, stride } = columns;
    weights.fill(0);
    for (let position = 0; position < ordering.length; position++) {
      const dim = ordering[position]!;
      evaluator.odds(ensembles[position]!, columns, rowOf.length, odds);
      for (let i = 0; i < rowOf.length; i++) {
        const row = rowOf[i]!;
        let bit: boolean;
        if (known.get(row, dim) === 1) {
          const value = result.get(row, dim);
          bit = value === 1;
          if (position > firstUnknown[row]!) weights[i]! += logProbability(value, odds[i]!);
        } else {
          const drawn = position % 2 === 1 && known.get(row, ordering[position - 1]!) === 0;
          const number = (i - firstCandidate[row - firstRow]!) * numbers + position;
          bit = draws(drawn ? following[i]! : uniform(row, number, i), odds[i]!);
        }
        if (bit) words[position * stride + (i >> 5)]! |= 1 << (i & 31);
      }
    }
    return columns;
  }

  /** Number `number` of the row's stream; an even one leaves the next in `following[candidate]`. */
  function uniform(row: number, number: number, candidate: number): number {
    philox4x32(bits, Math.floor(number / 2), 0, row, Purpose.complete, seed % 2 ** 32, Math.floor(seed / 2 ** 32));
    const second = ((bits[2]! >>> 5) * 2 ** 26 + (bits[3]! >>> 6)) * 2 ** -53;
    if (number % 2 === 1) return second;
    following[candidate] = second;
    return ((bits[0]! >>> 5) * 2 ** 26 + (bits[1]! >>> 6)) * 2 ** -53;
  }

  /** Takes a candidate in proportion to its weight, and notes the effective sample size. */
  function choose(row: number, from: number, to: number): number {
    let likeliest = from;
    for (let i = from; i < to; i++) if (weights[i]! > weights[likeliest]!) likeliest = i;
    const highest = weights[likeliest]!;
    let sum = 0;
    let squares = 0;
    for (let i = from; i < to; i++) {
      const weight = exp(weights[i]! - highest);
      weights[i] = weight;
      sum += weight;
      squares += weight * weight;
    }
    effectiveSampleSize[row] = (sum * sum) / squares;
    let rest = uniform(row, samples * numbers, from) * sum;
    for (let i = from; i < to; i++) {
      rest -= weights[i]!;
      if (rest < 0) return i;
    }
    return likeliest; // only rounding can leave a rest
  }
}
