import { boostingRoundSchema, keptRounds, type BoostingRound } from '@orchard/density-boosting';
import { Steps, type StoredStep } from '@orchard/pipeline';
import { z } from 'zod';
import { cutsetCodec, type Cutset } from './cutset-model.js';
import { cutsetSpecification } from './cutset-run.js';

const componentSchema = z.strictObject({
  runId: z.string(),
  component: z.int(),
  /** Of a boosted network its round, and what the rows say of the mixture after it. */
  boosted: boostingRoundSchema.optional(),
});

type Component = z.infer<typeof componentSchema>;

/**
 * The networks of a mixture: each a chain of one step, learned by itself; boosted ones are one chain, each learned
 * after those before it.
 */
export const components = new Steps<Component, Cutset>({
  folder: 'components',
  letters: { chain: 'c', step: 'r' },
  isFirstPlain: true,
  facts: componentSchema,
  codec: cutsetCodec,
  courseOf: (run) => {
    const { boosted = false, components: count } = cutsetSpecification(run);
    return boosted ? { chains: 1, steps: count } : { chains: count, steps: 1 };
  },
  isLast: ({ boosted }) => boosted?.isLast ?? true,
});

/** A boosted network, as `Boosting` takes it. @throws Error for one that was learned by itself */
export function roundOf({ facts, model }: StoredStep<Component, Cutset>): {
  readonly facts: BoostingRound;
  readonly model: Cutset;
} {
  if (facts.boosted === undefined) throw new Error('a network that was not boosted');
  return { facts: facts.boosted, model };
}

/** The boosted networks that are kept, with their weights. */
export function keptComponents(all: readonly StoredStep<Component, Cutset>[]): {
  readonly weights: Float64Array;
  readonly members: readonly Cutset[];
} {
  const { weights, kept } = keptRounds(all.map(roundOf));
  return { weights, members: kept.map(({ model }) => model) };
}
