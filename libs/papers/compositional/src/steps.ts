import { Steps } from '@orchard/pipeline';
import { z } from 'zod';
import { compositionalCodec, type Compositional, type PlacedCompositional } from './compositional-model.js';
import { compositionalSpecification } from './compositional-run.js';

/** A step of one run of EM; 0 is what it begins with. */
const stepSchema = z.strictObject({
  restart: z.int().min(0),
  step: z.int().min(0),
  /**
   * Mean nats of the training rows under the composed templates of their explanations, as the step before it left them;
   * null of 0.
   */
  explained: z.number().nullable(),
  /** Mean nats of the validation rows. */
  valid: z.number(),
  /** Whether no step of this run of EM comes after it. */
  isLast: z.boolean(),
});

export type Step = z.infer<typeof stepSchema>;

/** Runs of EM, of each what it begins with and then its steps. */
export const steps = new Steps<Step, Compositional | PlacedCompositional>({
  folder: 'steps',
  letters: { chain: 'r', step: 's' },
  facts: stepSchema,
  codec: compositionalCodec,
  courseOf: (run) => {
    const specification = compositionalSpecification(run);
    return { chains: specification.restarts, steps: specification.steps + 1 };
  },
  isLast: ({ isLast }) => isLast,
});
