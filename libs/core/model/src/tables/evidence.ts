import type { Variable } from '@orchard/contracts';
import { codeCount, holeCode, otherCode } from '@orchard/dataset';

/** Which codes are drawn: all but "(other)", which stands for no value, unless training had labels that it stands for. */
export function drawnWeights(variable: Variable): Float64Array {
  const weights = new Float64Array(codeCount(variable)).fill(1);
  const other = otherCode(variable);
  if (other !== null && !(variable.kind === 'categorical' && variable.others > 0)) weights[other] = 0;
  return weights;
}

/** Which codes fill a blank: no hole, since what is unknown is not absent, and no "(other)", which is no value. */
export function filledWeights(variable: Variable): Float64Array {
  const weights = new Float64Array(codeCount(variable)).fill(1);
  for (const code of [otherCode(variable), holeCode(variable)]) if (code !== null) weights[code] = 0;
  return weights;
}
