import type { Variable } from '@orchard/contracts';
import { codeCount, holeCode, otherCode } from '@orchard/dataset';

/** Which codes are drawn: all but "(other)", which stands for no value, unless training had labels that it stands for. */
export function drawnWeights(variable: Variable): Float64Array {
  const weights = new Float64Array(codeCount(variable)).fill(1);
  const other = otherCode(variable);
  if (other !== null && !(variable.kind === 'categorical' && variable.others > 0)) weights[other] = 0;
  return weights;
}

/** Which codes fill a blank: those that are drawn, and no hole, since what is unknown is not absent. */
export function filledWeights(variable: Variable): Float64Array {
  const weights = drawnWeights(variable);
  const hole = holeCode(variable);
  if (hole !== null) weights[hole] = 0;
  return weights;
}
