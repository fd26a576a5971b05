import type { Variable } from '@orchard/contracts';
import { log } from '@orchard/numerics';
import { codeCount, holeCode, otherCode } from '../variables/codes.js';

/** Training rows of each code. */
export function trainingCounts(variable: Variable): Float64Array {
  const counts = new Float64Array(codeCount(variable));
  counts.set(variable.counts);
  if (variable.kind === 'ordered' && variable.atoms !== undefined)
    counts.set(variable.atoms.counts, variable.counts.length);
  const [other, hole] = [otherCode(variable), holeCode(variable)];
  if (other !== null && variable.kind === 'categorical') counts[other] = variable.others;
  if (hole !== null) counts[hole] = variable.holes;
  return counts;
}

/**
 * log P(code) of a column on its own: its rates in the training rows, each code counted half a time more, since what
 * training never had may come.
 */
export function ownLogRates(variable: Variable): Float64Array {
  const counts = trainingCounts(variable);
  const all = counts.reduce((sum, count) => sum + count + 0.5, 0);
  return counts.map((count) => log((count + 0.5) / all));
}
