import type { ModelSummary, Refit, RunWarning, Seconds } from '@orchard/contracts';
import type { Likelihoods } from '@orchard/model';
import { z } from 'zod';
import { columnDocument, type ColumnDocument } from '../output/column-document.js';

/** What a run has trained and written to a folder. */
export interface TrainedModel {
  /** The kind of the run's models, as `--model` names it. */
  readonly family: string;
  /** What `summary.json` holds, in the fields of the family; its `network.path` is where the model file lies. */
  readonly summary: ModelSummary;
  /** Of the model file. */
  readonly likelihoods: Likelihoods;
  readonly seconds: Seconds;
}

/** What the model gives one column, mean nats per row. */
interface ColumnFigures extends ColumnDocument {
  readonly train: number;
  readonly valid: number;
  readonly test: number | null;
  /** Leaves of its trees, where the column chose for itself: of a mixture those of each member. */
  readonly leaves: readonly number[] | null;
  /** The line that its trees start from; null where they start from its rates. */
  readonly line: { readonly on: readonly string[]; readonly members?: number | undefined } | null;
}

/** The model that was written. */
interface WrittenModel {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Mean nats per row; null without test rows. */
  readonly testLogLikelihood: number | null;
  /** How validation rows chose the rounds; null of kinds of models that have no such choice. */
  readonly selection: string | null;
  /** Whether it was trained on the validation rows too; null of kinds of models that have no such choice. */
  readonly refit: Refit | null;
  /** Members of the mixture; null of a single model. */
  readonly members: number | null;
  readonly [ofFamily: string]: unknown;
}

/**
 * What `train`, `select` and `demo` say of a model: the same fields for every kind of model and of rows. Behind them
 * stand those that one kind of model adds to its summary.
 */
export interface TrainedDocument {
  readonly runId: string;
  /** The kind of model, as `--model` names it. */
  readonly family: string;
  readonly dataset: ModelSummary['dataset'];
  readonly network: WrittenModel;
  /** Mean nats per row of the model file; null where it was not measured. */
  readonly likelihoods: Likelihoods;
  /** By column; null where the kind of model keeps no figures of each. */
  readonly columns: readonly ColumnFigures[] | null;
  readonly warnings: readonly RunWarning[];
  readonly seconds: Seconds;
  /** @deprecated `columns` has the same. */
  readonly variables?: unknown;
  readonly [ofFamily: string]: unknown;
}

/** The figures of columns as summaries hold them. */
export const columnFiguresSchema = z.array(
  z.object({
    name: z.string(),
    train: z.number(),
    valid: z.number(),
    test: z.number().nullable(),
    leaves: z.array(z.number()).optional(),
    line: z.object({ on: z.array(z.string()), members: z.number().optional() }).optional(),
  }),
);

export function trainedDocument({ family, summary, likelihoods, seconds }: TrainedModel): TrainedDocument {
  const figures = columnFiguresSchema.safeParse(summary['variables']).data ?? null;
  const names = figures?.map(({ name }) => name) ?? null;
  return {
    // first, as some summaries have likelihoods of their own: of a mixture before it was trained again
    likelihoods,
    ...summary,
    family,
    network: { selection: null, refit: null, members: null, ...summary.network },
    columns:
      figures?.map(({ train, valid, test, leaves, line }, index) => ({
        ...columnDocument(index, names),
        train,
        valid,
        test,
        leaves: leaves ?? null,
        line: line ?? null,
      })) ?? null,
    warnings: (summary['warnings'] ?? []) as readonly RunWarning[],
    seconds,
  };
}
