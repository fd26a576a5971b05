import { parseContract, taskNames } from '@orchard/contracts';
import { openModel, type Variables } from '@orchard/model';
import { artefactNames } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import type { Experts } from './experts.js';
import { partitionCodec, partitionOf, type Partition, type PartitionBound } from './partition-model.js';

export const stepsFolder = 'steps';

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

/** A step with its experts, as it is stored: a model file. */
export interface StoredStep extends Step {
  readonly experts: Experts;
}

type Place = Pick<Step, 'restart' | 'step'>;

export function stepKey({ restart, step }: Place): string {
  return `e${String(restart)}-${String(step)}`;
}

/** The step that a task's key names. */
export function placeIn(key: string): Place {
  const [restart, step] = key.slice(1).split('-').map(Number) as [number, number];
  return { restart, step };
}

export function stepName(run: string, place: Place): string {
  return taskNames.artefact({ run, key: stepKey(place) }, stepsFolder);
}

export function stepsPrefix(run: string): string {
  return `${artefactNames.run(run)}${stepsFolder}/`;
}

export function stepBytes({ dimensions, names, shape }: Variables, { experts, ...step }: StoredStep): Uint8Array {
  const likelihoods = { train: null, valid: step.valid, test: null };
  return partitionOf({ dimensions, names, shape, specification: { ...step }, likelihoods }, experts).toBytes();
}

/** @throws ModelError, ContractError where the bytes are no step */
export function stepFrom(bytes: Uint8Array): StoredStep {
  const { specification, experts } = openModel(bytes, [partitionCodec]) as Partition | PartitionBound;
  return { ...parseContract(stepSchema, specification, 'step of EM'), experts };
}

export async function readStep(store: ObjectStore, run: string, place: Place): Promise<StoredStep> {
  return stepFrom(await store.get(stepName(run, place)));
}
