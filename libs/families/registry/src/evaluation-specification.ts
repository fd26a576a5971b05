import { baseSpecificationShape, taskNames, type BaseSpecification } from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import { artefactNames, readDocument, type RunDatasets } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { modelOfRunSchema, type ModelOfRun } from './model-of-run.js';

export const evaluationName = 'evaluation';
/** The key of the tasks of which there is one. */
export const onlyKey = 'all';

export const evaluationSpecificationSchema = z.strictObject({
  family: z.literal(evaluationName),
  ...baseSpecificationShape,
  model: modelOfRunSchema,
  source: z.string(),
  missing: z.enum(['value', 'unknown']),
  seed: z.int().min(0),
});

export type EvaluationSpecification = z.infer<typeof evaluationSpecificationSchema>;

const newCellsSchema = z.array(
  z.strictObject({
    column: z.string(),
    unseen: z.int(),
    orRare: z.literal(true).optional(),
    misfits: z.int(),
    example: z.strictObject({ row: z.int(), text: z.string() }).optional(),
  }),
);

/** What reading the rows came to. */
export const readRowsOfFileSchema = z.strictObject({
  rows: z.int().min(1),
  parts: z.int().min(1),
  newCells: newCellsSchema,
  /** How cells were read that did not stand as in training. */
  remarks: z.array(z.string()),
});

/** How likely the rows of a source are under a model. Nats; null for what cannot be known. */
export const evaluationSchema = z.strictObject({
  rows: z.int().min(1),
  logLikelihood: z.number().meta({ description: 'mean nats per row' }),
  standardError: z.number().nullable().meta({ description: 'of the mean; null of one row' }),
  densityLogLikelihood: z.number().meta({ description: 'the part of densities, which depends on units' }),
  columns: z
    .array(z.number().nullable())
    .nullable()
    .meta({ description: 'mean nats of each column over the rows without unknown values' }),
  rowsWithUnknown: z.int().min(0),
  greatestError: z.number().meta({ description: 'the greatest standard error of what was integrated out by samples' }),
  newCells: newCellsSchema.meta({ description: 'cells that training had nothing like, by column' }),
  remarks: z.array(z.string()).meta({ description: 'how cells were read that are written otherwise than in training' }),
});

export type Evaluation = z.infer<typeof evaluationSchema>;

/** The specification of an evaluation. @param datasets of the run that made the model */
export function evaluationOf(
  { train, valid, test }: RunDatasets,
  asked: {
    readonly model: ModelOfRun;
    readonly source: string;
    readonly missing: 'value' | 'unknown';
    readonly seed: number;
  },
): EvaluationSpecification {
  return {
    family: evaluationName,
    train: train.id,
    valid: valid.id,
    test: test?.id ?? null,
    numericsVersion: NUMERICS_VERSION,
    ...asked,
  };
}

export const evaluationNames = {
  read: (run: string) => taskNames.artefact({ run, key: onlyKey }, 'read'),
  /** Rows as codes. */
  part: (run: string, part: number) => `${artefactNames.run(run)}parts/p${part}`,
  /** What each row and cell of a part has. */
  scores: (run: string, part: number) => taskNames.artefact({ run, key: `p${part}` }, 'scores'),
  result: (run: string) => taskNames.artefact({ run, key: onlyKey }, 'evaluation'),
} as const;

export function isEvaluation({ family }: Pick<BaseSpecification, 'family'>): boolean {
  return family === evaluationName;
}

/** @throws StorageError `missing` where it has not ended */
export function readEvaluation(store: ObjectStore, run: string): Promise<Evaluation> {
  return readDocument(store, evaluationNames.result(run), evaluationSchema);
}
