import { parseContract, taskNames } from '@orchard/contracts';
import { openModel, type Variables } from '@orchard/model';
import { artefactNames } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { Compositional, compositionalCodec } from './compositional-model.js';

export const stepsFolder = 'steps';

/** A step of one run of EM; 0 is what it begins with. */
const stepSchema = z.strictObject({
  restart: z.int().min(0),
  step: z.int().min(0),
  /** Mean nats of the training rows under the composed templates of their explanations, as the step before it left them; null of 0. */
  explained: z.number().nullable(),
  /** Mean nats of the validation rows. */
  valid: z.number(),
  /** Whether no step of this run of EM comes after it. */
  isLast: z.boolean(),
});

export type Step = z.infer<typeof stepSchema>;

/** A step with its experts, as it is stored: a model file. */
export interface StoredStep extends Step {
  readonly model: Compositional;
}

/** Which step of which run of EM. */
export type Place = Pick<Step, 'restart' | 'step'>;

export function stepKey({ restart, step }: Place): string {
  return `r${String(restart)}s${String(step)}`;
}

/** The step that a task's key names. */
export function placeIn(key: string): Place {
  const [, restart, step] = /^r(\d+)s(\d+)$/.exec(key)!;
  return { restart: Number(restart), step: Number(step) };
}

export function stepName(run: string, place: Place): string {
  return taskNames.artefact({ run, key: stepKey(place) }, stepsFolder);
}

export function stepsPrefix(run: string): string {
  return `${artefactNames.run(run)}${stepsFolder}/`;
}

export function stepBytes({ dimensions, names, shape }: Variables, { model, ...step }: StoredStep): Uint8Array {
  const likelihoods = { train: null, valid: step.valid, test: null };
  return new Compositional(
    { dimensions, names, shape, specification: { ...step }, likelihoods },
    model.experts,
  ).toBytes();
}

/** @throws ModelError, ContractError where the bytes are no step */
export function stepFrom(bytes: Uint8Array): StoredStep {
  const model = openModel(bytes, [compositionalCodec]) as Compositional;
  return { ...parseContract(stepSchema, model.specification, 'step of EM'), model };
}

export async function readStep(store: ObjectStore, run: string, place: Place): Promise<StoredStep> {
  return stepFrom(await store.get(stepName(run, place)));
}

/** How many steps of a restart are stored, the start among them, up to the first that is not. */
export function stepsAmong(stored: ReadonlySet<string>, run: string, restart: number): number {
  let count = 0;
  while (stored.has(stepName(run, { restart, step: count }))) count++;
  return count;
}
