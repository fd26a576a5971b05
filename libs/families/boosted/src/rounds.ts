import { parseContract, taskNames } from '@orchard/contracts';
import { ForestMixture, forestMixtureCodec, ForestMixtureModel } from '@orchard/mixture';
import type { Forest } from '@orchard/forests';
import { openModel, type Variables } from '@orchard/model';
import { artefactNames } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import type { BoostedSpecification } from './boosted-run.js';

export const roundsFolder = 'rounds';

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

/** A round with its tree, as it is stored: a model file of one tree. */
export interface RoundTree extends Round {
  readonly forest: Forest;
}

export function roundKey(round: number): string {
  return `r${String(round)}`;
}

/** The round that a task's key names. */
export function roundIn(key: string): number {
  return Number(key.slice(1));
}

export function roundName(run: string, round: number): string {
  return taskNames.artefact({ run, key: roundKey(round) }, roundsFolder);
}

export function roundsPrefix(run: string): string {
  return `${artefactNames.run(run)}${roundsFolder}/`;
}

export function roundBytes({ dimensions, names, shape }: Variables, { forest, ...round }: RoundTree): Uint8Array {
  const likelihoods = { train: round.train, valid: round.valid, test: null };
  const head = { dimensions, names, shape, specification: { ...round }, likelihoods };
  return new ForestMixtureModel(head, new ForestMixture(Float64Array.of(1), [forest])).toBytes();
}

/** @throws ModelError, ContractError where the bytes are no round */
export function roundFrom(bytes: Uint8Array): RoundTree {
  const { specification, mixture } = openModel(bytes, [forestMixtureCodec]) as ForestMixtureModel;
  return { ...parseContract(roundSchema, specification, 'round'), forest: mixture.components[0]! };
}

export async function readRound(store: ObjectStore, run: string, round: number): Promise<RoundTree> {
  return roundFrom(await store.get(roundName(run, round)));
}

/** The round by which the validation rows are likeliest, of equal ones the first. */
export function bestOf(rounds: readonly Round[]): Round {
  return rounds.reduce((best, round) => (round.valid > best.valid ? round : best));
}

/** Whether it ends with a round: nothing is gained any more, or there are as many trees as are wanted. */
export function endsWith(
  last: Omit<Round, 'isLast'>,
  before: readonly Round[],
  { components, waiting }: Pick<BoostedSpecification, 'components' | 'waiting'>,
): boolean {
  if (last.step === 0 || last.round === components) return true;
  return last.round - bestOf([...before, { ...last, isLast: false }]).round >= waiting;
}

/** The trees up to the best round, each weighted by its ε times what later ones leave of it. */
export function mixtureOf(rounds: readonly RoundTree[]): ForestMixture {
  const kept = rounds.slice(0, bestOf(rounds).round);
  const weights = new Float64Array(kept.length);
  let left = 1;
  for (let at = kept.length - 1; at >= 0; at--) {
    weights[at] = left * kept[at]!.step;
    left *= 1 - kept[at]!.step;
  }
  return new ForestMixture(
    weights,
    kept.map(({ forest }) => forest),
  );
}
