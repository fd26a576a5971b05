// The baseline: completion by one importance step, as Network.complete did it before it went on by sequential Monte
// Carlo.
import { Purpose, exp, log, log1p, philox4x32 } from '@orchard/numerics';
// not exported: the baseline evaluates trees as the lib itself does
import { Evaluator } from '../../../libs/core/model/dist/network/evaluator.js';
import { draws } from '../../../libs/core/model/dist/port/sampling.js';

/** Candidates that are evaluated together, as the lib had it for networks of up to 2,048 columns. */
const TOGETHER = 65_536;

/**
 * Draws `samples` candidates for each row by ancestral sampling with the known values in their places, weighs them by
 * the probability of the known values after the first unknown one, and takes one in proportion to its weight. `result`
 * holds the known values, and zeros for the others. Rows whose known values come first are not separated.
 */
export function completeByImportance({ ensembles, ordering }, result, known, { seed, samples }) {
  const { rows } = result;
  const evaluator = new Evaluator();
  const together = Math.max(1, Math.floor(TOGETHER / samples));
  const odds = new Float64Array(together * samples);
  const weights = new Float64Array(odds.length);
  const following = new Float64Array(odds.length);
  const bits = new Uint32Array(4);
  const numbers = ordering.length + (ordering.length % 2);
  const effectiveSampleSize = new Float64Array(rows);
  const logEvidence = new Float64Array(rows);
  /** Number `number` of the row's stream; an even one leaves the next in `following`. */
  const uniform = (row, number, candidate) => {
    philox4x32(bits, Math.floor(number / 2), 0, row, Purpose.complete, seed, 0);
    following[candidate] = ((bits[2] >>> 5) * 2 ** 26 + (bits[3] >>> 6)) * 2 ** -53;
    return ((bits[0] >>> 5) * 2 ** 26 + (bits[1] >>> 6)) * 2 ** -53;
  };
  for (let firstRow = 0; firstRow < rows; firstRow += together) {
    const endRow = Math.min(rows, firstRow + together);
    const candidates = (endRow - firstRow) * samples;
    const columns = evaluator.columns(candidates, ordering.length);
    const { words, stride } = columns;
    weights.fill(0);
    ordering.forEach((dim, position) => {
      evaluator.odds(ensembles[position], columns, candidates, odds);
      for (let i = 0; i < candidates; i++) {
        const row = firstRow + Math.floor(i / samples);
        let bit;
        if (known.get(row, dim) === 1) {
          bit = result.get(row, dim) === 1;
          weights[i] -= log1p(bit ? 1 / odds[i] : odds[i]);
        } else {
          const isDrawn = position % 2 === 1 && known.get(row, ordering[position - 1]) === 0;
          const number = (i % samples) * numbers + position;
          if (!isDrawn) {
            const even = uniform(row, number, i);
            bit = draws(position % 2 === 1 ? following[i] : even, odds[i]);
          } else bit = draws(following[i], odds[i]);
        }
        if (bit) words[position * stride + (i >> 5)] |= 1 << (i & 31);
      }
    });
    for (let row = firstRow; row < endRow; row++) {
      const first = (row - firstRow) * samples;
      const logs = weights.subarray(first, first + samples);
      const highest = logs.reduce((a, b) => Math.max(a, b));
      const shares = Float64Array.from(logs, (value) => exp(value - highest));
      const sum = shares.reduce((a, b) => a + b);
      effectiveSampleSize[row] = sum ** 2 / shares.reduce((a, b) => a + b * b, 0);
      logEvidence[row] = highest + log(sum / samples);
      let rest = uniform(row, samples * numbers, first) * sum;
      let chosen = 0;
      while (chosen < samples - 1 && rest >= shares[chosen]) rest -= shares[chosen++];
      const at = first + chosen;
      ordering.forEach((dim, position) => {
        if (known.get(row, dim) === 0)
          result.set(row, dim, ((words[position * stride + (at >> 5)] >>> (at & 31)) & 1) === 1);
      });
    }
  }
  return { matrix: result, effectiveSampleSize, logEvidence };
}
