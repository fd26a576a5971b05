import type { Variable } from '@orchard/contracts';
import { codeCount, holeCode, otherCode } from '@orchard/dataset';

/**
 * What blanks are: `values`; values, or missing as often as the model draws them so, in the variables of a set; or
 * `drawn`, as `sample` draws rows.
 */
export type BlanksAs = 'values' | 'drawn' | ReadonlySet<number>;

/** Which codes a blank of a variable may have: 1 or 0 of each. */
export function blankWeights(variable: Variable, index: number, as: BlanksAs): Float64Array {
  if (as === 'drawn') return drawnWeights(variable);
  const weights = filledWeights(variable);
  const hole = holeCode(variable);
  if (as !== 'values' && hole !== null && as.has(index)) weights[hole] = 1;
  return weights;
}

/**
 * Which codes are drawn: all but "(other)", which stands for no value, unless training had labels that it stands for.
 */
export function drawnWeights(variable: Variable): Float64Array {
  const weights = new Float64Array(codeCount(variable)).fill(1);
  const other = otherCode(variable);
  if (other !== null && !(variable.kind === 'categorical' && variable.others > 0)) weights[other] = 0;
  return weights;
}

/**
 * The codes that may fill in an unknown value: not "missing", since what is filled in is a value, and not "(other)",
 * which is none.
 */
export function filledWeights(variable: Variable): Float64Array {
  const weights = new Float64Array(codeCount(variable)).fill(1);
  for (const code of [otherCode(variable), holeCode(variable)]) if (code !== null) weights[code] = 0;
  return weights;
}
