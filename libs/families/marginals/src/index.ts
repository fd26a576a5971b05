import { baseSpecificationShape, rowKinds } from '@orchard/contracts';
import { builtModule, familyOfOneTask } from '@orchard/pipeline';
import { z } from 'zod';
import { computations, end, kind } from './computations.js';
import { marginalsCodec as codec, marginalsFamily as name } from './marginals-model.js';

export { Marginals, MarginalsTable } from './marginals-model.js';

/** Every column on its own: the smallest family, and what every other has to beat. One task, nothing to choose. */
export const marginals = familyOfOneTask({
  name,
  codec,
  description: 'every column independent of the others: a baseline',
  learns: rowKinds,
  answers: { conditionals: 'exact', mostProbable: 'exact' },
  kind,
  state: 'counting',
  words: z.strictObject({}),
  specification: z.strictObject({ family: z.literal(name), ...baseSpecificationShape }),
  specify: () => ({}),
  module: builtModule('computations', import.meta.url),
  computations,
  end,
});
