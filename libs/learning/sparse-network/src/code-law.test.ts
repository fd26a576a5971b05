import type { OrderedVariable } from '@orchard/contracts';
import { ordered } from '@orchard/dataset/conformance/tables';
import { expect, test } from 'vitest';
import { CodeLaw, measureOf } from './code-law.js';

/** Twenty cells of a number, one unit wide each. */
function measuredIn(unit: number): OrderedVariable {
  const plain = ordered('x', 20, 'density') as OrderedVariable;
  return { ...plain, edges: plain.edges.map((edge) => edge * unit), tails: [unit, 2 * unit], range: [0, 19 * unit] };
}

test.each([1e-170, 1e-5, 1e160])('a number is as likely in units of %f as in any other', (unit) => {
  const [plain, own] = [measuredIn(1), measuredIn(unit)];
  const [measure, scaled] = [measureOf(plain), measureOf(own)];
  expect(scaled.scale / unit).toBeCloseTo(measure.scale, 9);
  measure.numbers.forEach((number, code) => expect(scaled.numbers[code]).toBeCloseTo(number, 9));
  const [law, same] = [new CodeLaw(plain, measure), new CodeLaw(own, scaled)];
  const outputs = new Float64Array(law.outputs);
  for (let code = 0; code < 20; code++)
    expect(same.probability(outputs, 1, code)).toBeCloseTo(law.probability(outputs, 1, code), 9);
});
