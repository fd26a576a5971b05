import type { Variable } from '@orchard/contracts';
import { codeCount, holeCode, otherCode } from '@orchard/dataset';

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
 * The codes that may fill in an unknown value: not "missing", since an unknown value is not absent, and not "(other)",
 * which is not a value.
 */
export function filledWeights(variable: Variable): Float64Array {
  const weights = new Float64Array(codeCount(variable)).fill(1);
  for (const code of [otherCode(variable), holeCode(variable)]) if (code !== null) weights[code] = 0;
  return weights;
}
