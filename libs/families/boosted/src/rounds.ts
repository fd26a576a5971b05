import { Steps, type StoredStep } from '@orchard/pipeline';
import { ForestMixture, forestMixtureCodec, type ForestMixtureModel } from '@orchard/mixture';
import { z } from 'zod';
import { boostedSpecification, type BoostedSpecification } from './boosted-run.js';

/** A round, from 1, and the model after it. */
const roundSchema = z.strictObject({
  round: z.int().min(1),
  /** ε: the tree's weight in the model after this round; 0 where it does not make the training rows likelier, however little of it is taken. */
  step: z.number().min(0).max(1),
  /** Mean nats of the rows that are learned from, and of those that end it. */
  train: z.number(),
  valid: z.number(),
  /** Whether no round comes after it. */
  isLast: z.boolean(),
});

export type Round = z.infer<typeof roundSchema>;

/** A round with its tree, a mixture of one. */
export type RoundTree = StoredStep<Round, ForestMixtureModel>;

export const rounds = new Steps<Round, ForestMixtureModel>({
  folder: 'rounds',
  letters: { step: 'r' },
  first: 1,
  facts: roundSchema,
  codec: forestMixtureCodec,
  courseOf: (run) => ({ chains: 1, steps: boostedSpecification(run).components }),
  isLast: ({ isLast }) => isLast,
});

/** The round by which the validation rows are likeliest, of equal ones the first. */
export function bestOf<One extends Pick<Round, 'valid'>>(all: readonly One[]): One {
  return all.reduce((best, round) => (round.valid > best.valid ? round : best));
}

/** Whether it ends with a round: nothing is gained any more, or there are as many trees as are wanted. */
export function endsWith(
  last: Omit<Round, 'isLast'>,
  before: readonly Round[],
  { components, waiting }: Pick<BoostedSpecification, 'components' | 'waiting'>,
): boolean {
  if (last.step === 0 || last.round === components) return true;
  return last.round - bestOf([...before, last]).round >= waiting;
}

/** The trees up to the best round, each weighted by its ε times what later ones leave of it. */
export function mixtureOf(all: readonly RoundTree[]): ForestMixture {
  const kept = all.slice(0, bestOf(all.map(({ facts }) => facts)).round);
  const weights = new Float64Array(kept.length);
  let left = 1;
  for (let at = kept.length - 1; at >= 0; at--) {
    weights[at] = left * kept[at]!.facts.step;
    left *= 1 - kept[at]!.facts.step;
  }
  return new ForestMixture(
    weights,
    kept.map(({ model }) => treeOf(model)),
  );
}

/** The tree of a round's model. */
export function treeOf({ mixture }: ForestMixtureModel): ForestMixture['components'][number] {
  return mixture.components[0]!;
}
