import { Steps } from '@orchard/pipeline';
import { z } from 'zod';
import {
  partitionCodec,
  tablePartitionCodec,
  type Partition,
  type PartitionBound,
  type TablePartition,
} from './partition-model.js';
import { partitionSpecification } from './partition-run.js';

/** A step of one run of EM, from 1, and what the experts after it are worth. */
const stepSchema = z.strictObject({
  restart: z.int().min(0),
  step: z.int().min(1),
  /** Mean log P(row | the experts that explain it) of the training rows, by the experts that the step began with. */
  explained: z.number(),
  /** Mean log P(row), or its bound, of the validation rows. */
  valid: z.number(),
});

export type Step = z.infer<typeof stepSchema>;

/** A model of any of the kinds that runs end in. */
export type AnyPartition = Partition | PartitionBound | TablePartition;

export const steps = new Steps<Step, AnyPartition>({
  folder: 'steps',
  letters: { chain: 'e', step: '-' },
  first: 1,
  facts: stepSchema,
  codec: partitionCodec,
  otherCodecs: [tablePartitionCodec],
  courseOf: (run) => {
    const { restarts, steps: perRestart } = partitionSpecification(run);
    return { chains: restarts, steps: perRestart };
  },
});
