import { Forest } from './forest.js';

/**
 * Forests without edges: each a product of all columns.
 *
 * @param rates P(1) of column d under product k: `rates[k * dimensions + d]`, strictly between 0 and 1
 * @throws RangeError where a rate is none
 */
export function forestsOfRates(dimensions: number, rates: Float64Array): readonly Forest[] {
  const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
  const roots = new Int32Array(dimensions).fill(-1);
  return Array.from({ length: rates.length / dimensions }, (_, k) => {
    const own = Float64Array.from({ length: 2 * dimensions }, (_, at) => rates[k * dimensions + (at >> 1)]!);
    return new Forest(columns, roots, own);
  });
}
