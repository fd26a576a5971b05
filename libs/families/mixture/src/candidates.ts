import { Steps } from '@orchard/pipeline';
import { z } from 'zod';
import { forestMixtureCodec, type ForestMixtureModel } from './forest-mixture-model.js';
import { candidatesOf, mixtureSpecification } from './mixture-run.js';

/** A mixture that one run of EM ended in, and how good it is. */
const triedSchema = z.strictObject({
  components: z.int(),
  strength: z.number(),
  restart: z.int(),
  /** Of EM, to the mixture that was kept. */
  step: z.int(),
  /** Mean nats of the validation rows. */
  valid: z.number(),
});

export type Tried = z.infer<typeof triedSchema>;

export const candidates = new Steps<Tried, ForestMixtureModel>({
  folder: 'candidates',
  letters: { chain: 'c' },
  facts: triedSchema,
  codec: forestMixtureCodec,
  courseOf: (run) => ({ chains: candidatesOf(mixtureSpecification(run)).length, steps: 1 }),
});
