import { baseSpecificationShape, parseContract, taskNames, type BaseSpecification } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { NUMERICS_VERSION } from '@orchard/numerics';
import type { RunDatasets } from '@orchard/pipeline';
import { z } from 'zod';
import { modelOfRunSchema, type ModelOfRun } from './model-of-run.js';
import { unsealed } from './sealed.js';

export const samplingName = 'sampling';
/** Of the artefacts, below the run's. */
export const slicesFolder = 'slices';
/** Rows of a slice: enough to take seconds, and few enough to be repeated when a worker is lost. */
const mostRows = 2 ** 17;
const mostValues = 2 ** 21;
const leastRows = 2 ** 12;

/** What is sampled: the same rows as `orchard sample` has of the model on one machine. */
export const samplingSchema = z.strictObject({
  family: z.literal(samplingName),
  ...baseSpecificationShape,
  model: modelOfRunSchema,
  count: z.int().min(1).max(100_000_000),
  seed: z.int().min(0),
  /** Whether rows follow the rules that the model was trained with. */
  rules: z.boolean(),
  sliceRows: z.int().min(1),
});

export type SamplingSpecification = z.infer<typeof samplingSchema>;

/** Some of the rows, by the number of the first. */
export interface Slice {
  readonly key: string;
  readonly first: number;
  readonly rows: number;
}

/** The specification of a sampling. @param datasets of the run that made the model */
export function samplingOf(
  { train, valid, test }: RunDatasets,
  asked: { readonly model: ModelOfRun; readonly count: number; readonly seed: number; readonly rules: boolean },
): SamplingSpecification {
  const columns = train.table?.variables.length ?? train.dimensions;
  return {
    family: samplingName,
    train: train.id,
    valid: valid.id,
    test: test?.id ?? null,
    numericsVersion: NUMERICS_VERSION,
    ...asked,
    sliceRows: Math.max(leastRows, Math.min(mostRows, Math.floor(mostValues / columns))),
  };
}

/** The slices of a sampling, in the order of their rows; null of a run that is none. */
export function slicesOf(specification: BaseSpecification): readonly Slice[] | null {
  if (specification.family !== samplingName) return null;
  const { count, sliceRows } = parseContract(samplingSchema, specification, 'run specification');
  return Array.from({ length: Math.ceil(count / sliceRows) }, (_, at) => {
    const first = at * sliceRows;
    return { key: `s${at}`, first, rows: Math.min(sliceRows, count - first) };
  });
}

/** The name of a slice in the store: a packed matrix of codes, its SHA-256 behind it. */
export function sliceName(run: string, { key }: Pick<Slice, 'key'>): string {
  return taskNames.artefact({ run, key }, slicesFolder);
}

/** @throws PipelineError `damaged-artefact`; DatasetError for bytes that are no matrix */
export function readSlice(bytes: Uint8Array, where: string): BitMatrix {
  return BitMatrix.from(unsealed(bytes, where));
}
