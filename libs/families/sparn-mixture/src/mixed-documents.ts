import { taskNames } from '@orchard/contracts';
import type { RowShares } from '@orchard/logistic';
import { artefactNames, readDocument } from '@orchard/pipeline';
import {
  type MixedWeightsDocument,
  mixedWeightsDocumentSchema,
  sharesDocumentSchema,
  sharesFrom,
  weightsDocumentSchema,
} from './weights-documents.js';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';

export const partsFolder = 'parts';
export const sharesFolder = 'shares';
export const stepsFolder = 'steps';
/** What is learned from training and validation rows together. */
export const refitsFolder = 'refits';

/** A step of EM for K components; step 0 are the products that it begins with. */
export interface MixedStep {
  /** Of a sequence of mixtures, which one; from 0. */
  readonly interval?: number;
  readonly components: number;
  readonly step: number;
  /** Of a refit: learned from training and validation rows together. */
  readonly pooled?: true;
}

const gateDocumentSchema = z.strictObject({
  penalty: z.number(),
  /** Mean nats of the validation rows' shares. */
  valid: z.number(),
  /** Of each component, made of the columns before the interval. */
  scores: z.array(weightsDocumentSchema),
});

export type GateDocument = z.infer<typeof gateDocumentSchema>;

/** What a step came to. */
export const stepDocumentSchema = z.strictObject({
  /** Of each λ that was tried, descending; none of step 0. */
  tried: z.array(
    z.strictObject({
      penalty: z.number(),
      /** Not 0, of all columns: those that components share, and those of one. */
      shared: z.int(),
      own: z.int(),
      /** Mean nats of the validation rows. */
      valid: z.number(),
    }),
  ),
  /** Place among these of the one by which the validation rows are likeliest; -1 of step 0. */
  best: z.int(),
  /** Mean nats of the validation rows, by that one. */
  valid: z.number(),
  /** Of the components. */
  weights: z.array(z.number()),
  /** What the next step tries; none where there is none. */
  next: z.array(z.number()),
  /** Where columns come before the interval: its gate, instead of their weights. */
  gate: gateDocumentSchema.optional(),
});

export type StepDocument = z.infer<typeof stepDocumentSchema>;

/** Under each λ that a step tries the weights of one column, of all components. */
export const partDocumentSchema = z.array(mixedWeightsDocumentSchema);

export type PartDocument = readonly MixedWeightsDocument[];

export const mixedNames = {
  stepKey: ({ interval, components, step, pooled }: MixedStep): string =>
    `${pooled === true ? 'r' : ''}${interval === undefined ? '' : `i${String(interval)}`}k${String(components)}s${String(step)}`,
  /** Ends in the column, as keys of tasks about one do. */
  partKey: (of: MixedStep, column: number): string => `${mixedNames.stepKey(of)}.${String(column)}`,
  part: (run: string, of: MixedStep, column: number): string =>
    taskNames.artefact({ run, key: mixedNames.partKey(of, column) }, of.pooled ? refitsFolder : partsFolder),
  shares: (run: string, of: MixedStep): string =>
    taskNames.artefact({ run, key: mixedNames.stepKey(of) }, of.pooled ? refitsFolder : sharesFolder),
  step: (run: string, of: MixedStep): string => taskNames.artefact({ run, key: mixedNames.stepKey(of) }, stepsFolder),
  folder: (run: string, folder: string): string => `${artefactNames.run(run)}${folder}/`,
};

/** What a task's key names; the column is there where it is a part. */
export function mixedStepIn(key: string): MixedStep & { readonly column: number } {
  const [, pooled, interval, components, step, column] = /^(r)?(?:i(\d+))?k(\d+)s(\d+)(?:\.(\d+))?$/.exec(key) ?? [];
  return {
    ...(pooled !== undefined && { pooled: true as const }),
    ...(interval !== undefined && { interval: Number(interval) }),
    components: Number(components),
    step: Number(step),
    column: Number(column),
  };
}

export async function readPart(store: ObjectStore, run: string, of: MixedStep, column: number): Promise<PartDocument> {
  return readDocument(store, mixedNames.part(run, of, column), partDocumentSchema);
}

export async function readStep(store: ObjectStore, run: string, of: MixedStep): Promise<StepDocument> {
  return readDocument(store, mixedNames.step(run, of), stepDocumentSchema);
}

export async function readShares(store: ObjectStore, run: string, of: MixedStep): Promise<RowShares> {
  return sharesFrom(await readDocument(store, mixedNames.shares(run, of), sharesDocumentSchema), of.components);
}
