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

/**
 * The same for a training row that has the code, by the rates of all others: what a row that was held out would have
 * had. Of 300 rows of a number in bins of 5 its own rates promise .2 nats more.
 */
export function logRatesOfOthers(variable: Variable): Float64Array {
  const counts = trainingCounts(variable);
  const others = counts.reduce((sum, count) => sum + count + 0.5, -1);
  // of a code that no row has there is no such row
  return counts.map((count) => (count === 0 ? 0 : log((count - 0.5) / others)));
}
