import { NumberArray, type BodyArrays, type ModelBody, type ModelSummary } from '@orchard/model';
import { Experts } from './experts.js';

const bodyKeys = ['active', 'opinions', 'expertise'] as const;

export function bodyOf({ active, opinions, expertise }: Experts): BodyArrays {
  return {
    active: NumberArray.ofFloats([active]),
    opinions: NumberArray.ofFloats([opinions]),
    expertise: NumberArray.ofFloats([expertise]),
  };
}

/** @throws RangeError, ModelError where the arrays are not experts */
export function expertsIn(body: ModelBody, dimensions: number): Experts {
  body.requireOnly(bodyKeys);
  const count = body.bytes('active').length / 8;
  return new Experts({
    dimensions,
    active: body.floats('active', count),
    opinions: body.floats('opinions', count * dimensions),
    expertise: body.floats('expertise', count * dimensions),
  });
}

/** What all kinds of these models say of themselves. */
export function factsOf({ active, count }: Pick<Experts, 'active' | 'count'>): ModelSummary['facts'] {
  const nobody = active.reduce((product, p) => product * (1 - p), 1);
  const expected = active.reduce((sum, p) => sum + p, 0) / (1 - nobody);
  return [
    ['model', `${String(count)} ${count === 1 ? 'expert' : 'experts'} that share the columns out`],
    ['taking part', `${expected.toFixed(2)} of them in a row, on average`],
  ];
}
