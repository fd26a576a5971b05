import { z } from 'zod';

/** A round of boosting, from 1, and what the rows say of the mixture after it: as it is stored. */
export const boostingRoundSchema = z.strictObject({
  round: z.int().min(1),
  /**
   * ε: the weak model's weight in the mixture after this round; 0 where it does not make the training rows likelier,
   * however little of it is taken.
   */
  step: z.number().min(0).max(1),
  /** Mean nats of the rows that are learned from, and of those that end it. */
  train: z.number(),
  valid: z.number(),
  /**
   * Mean h / f of the training rows, h fitted to them by 1 / f: above 1 a step towards it gains. Not of the first
   * round, nor of older files.
   */
  ratio: z.number().optional(),
  /** Whether no round comes after it. */
  isLast: z.boolean(),
});

export type BoostingRound = Readonly<z.infer<typeof boostingRoundSchema>>;

export interface BoostingEnd {
  /** Most rounds. */
  readonly components: number;
  /** Rounds without a gain on the validation rows after which no other comes. */
  readonly waiting: number;
}

/** The round by which the validation rows are likeliest, of equal ones the first. */
function bestOf<One extends Pick<BoostingRound, 'valid'>>(all: readonly One[]): One {
  return all.reduce((best, round) => (round.valid > best.valid ? round : best));
}

/** Whether it ends with a round: nothing is gained any more, or there are as many as are wanted. */
export function endsWith(
  last: Omit<BoostingRound, 'isLast'>,
  before: readonly BoostingRound[],
  { components, waiting }: BoostingEnd,
): boolean {
  if (last.step === 0 || last.round === components) return true;
  return last.round - bestOf([...before, last]).round >= waiting;
}

/** The rounds up to the best one, each weighted by its ε times what later ones leave of it. */
export function keptRounds<One extends { readonly facts: BoostingRound }>(
  all: readonly One[],
): { readonly weights: Float64Array; readonly kept: readonly One[] } {
  const kept = all.slice(0, bestOf(all.map(({ facts }) => facts)).round);
  const weights = new Float64Array(kept.length);
  let left = 1;
  for (let at = kept.length - 1; at >= 0; at--) {
    weights[at] = left * kept[at]!.facts.step;
    left *= 1 - kept[at]!.facts.step;
  }
  return { weights, kept };
}
