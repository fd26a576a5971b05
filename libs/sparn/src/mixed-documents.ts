import { taskNames } from '@orchard/contracts';
import type { LogisticWeights, MixedWeights, RowShares } from '@orchard/logistic';
import { artefactNames, readDocument } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';

export const partsFolder = 'parts';
export const sharesFolder = 'shares';
export const stepsFolder = 'steps';

const wholes = z.array(z.int().min(0));
const numbers = z.array(z.number());

/** A step of EM for K components; step 0 are the products that it begins with. */
export interface MixedStep {
  /** Of a sequence of mixtures, which one; from 0. */
  readonly interval?: number;
  readonly components: number;
  readonly step: number;
}

/** Under each λ that a step tries the weights of one column, of all components. */
export const partDocumentSchema = z.array(
  z.strictObject({
    intercept: z.number(),
    intercepts: numbers,
    predictors: wholes,
    weights: numbers,
    own: z.strictObject({ components: wholes, predictors: wholes, weights: numbers }),
  }),
);

export type PartDocument = z.infer<typeof partDocumentSchema>;

/** How the training rows, sorted, are shared out after a step. */
export const sharesDocumentSchema = z.strictObject({ starts: wholes, componentOf: wholes, shares: numbers });

/** What tells the components of an interval. */
const gateDocumentSchema = z.strictObject({
  penalty: z.number(),
  /** Mean nats of the validation rows' shares. */
  valid: z.number(),
  /** Of each component, made of the columns before the interval. */
  scores: z.array(z.strictObject({ intercept: z.number(), predictors: wholes, weights: numbers })),
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
  weights: numbers,
  /** What the next step tries; none where there is none. */
  next: numbers,
  /** Where columns come before the interval: what tells its components, in place of their weights. */
  gate: gateDocumentSchema.optional(),
});

export type StepDocument = z.infer<typeof stepDocumentSchema>;

export const mixedNames = {
  stepKey: ({ interval, components, step }: MixedStep): string =>
    `${interval === undefined ? '' : `i${String(interval)}`}k${String(components)}s${String(step)}`,
  /** Ends in the column, as keys of tasks about one do. */
  partKey: (of: MixedStep, column: number): string => `${mixedNames.stepKey(of)}.${String(column)}`,
  part: (run: string, of: MixedStep, column: number): string =>
    taskNames.artefact({ run, key: mixedNames.partKey(of, column) }, partsFolder),
  shares: (run: string, of: MixedStep): string =>
    taskNames.artefact({ run, key: mixedNames.stepKey(of) }, sharesFolder),
  step: (run: string, of: MixedStep): string => taskNames.artefact({ run, key: mixedNames.stepKey(of) }, stepsFolder),
  folder: (run: string, folder: string): string => `${artefactNames.run(run)}${folder}/`,
};

/** What a task's key names; the column is there where it is a part. */
export function mixedStepIn(key: string): MixedStep & { readonly column: number } {
  const [, interval, components, step, column] = /^(?:i(\d+))?k(\d+)s(\d+)(?:\.(\d+))?$/.exec(key) ?? [];
  return {
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
  const { starts, componentOf, shares } = await readDocument(store, mixedNames.shares(run, of), sharesDocumentSchema);
  return {
    components: of.components,
    starts: Uint32Array.from(starts),
    componentOf: Uint32Array.from(componentOf),
    shares: Float64Array.from(shares),
  };
}

export function sharesDocument({ starts, componentOf, shares }: RowShares): z.infer<typeof sharesDocumentSchema> {
  return { starts: Array.from(starts), componentOf: Array.from(componentOf), shares: Array.from(shares) };
}

export function scoreDocument({ intercept, predictors, weights }: LogisticWeights): GateDocument['scores'][number] {
  return { intercept, predictors: Array.from(predictors), weights: Array.from(weights) };
}

export function partDocument(steps: readonly MixedWeights[]): PartDocument {
  return steps.map(({ intercept, intercepts, predictors, weights, own }) => ({
    intercept,
    intercepts: Array.from(intercepts),
    predictors: Array.from(predictors),
    weights: Array.from(weights),
    own: {
      components: Array.from(own.components),
      predictors: Array.from(own.predictors),
      weights: Array.from(own.weights),
    },
  }));
}
