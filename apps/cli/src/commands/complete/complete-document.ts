import type { FilledCell, Point } from '@orchard/analysis';

/** A missing value, filled in. */
interface CellDocument extends Omit<FilledCell, 'row' | 'index'> {
  /** Counted from 1. */
  readonly row: number;
  /** Its name; of columns without names its number, from 1. */
  readonly column: string;
}

/** What missing values are answered by. */
type Answer = 'samples' | 'points' | 'intervals' | 'probabilities' | 'most probable values';

/** What `complete` says, of every kind of model and of rows. A field is null where the answer has nothing of it. */
export interface CompleteDocument {
  readonly rows: number;
  /** Missing values. */
  readonly missing: number;
  readonly answer: Answer;
  /** Rows whose answer has no error of sampling. */
  readonly exactRows: number;
  /** Of the rows that are not exact; null where all are. */
  readonly smallestEffectiveSampleSize: number | null;
  /** Completions of each row; null where nothing was sampled. */
  readonly draws: number | null;
  /** Null where nothing was sampled. */
  readonly seed: number | null;
  /** Particles per row; null where nothing was sampled. */
  readonly samples: number | null;
  readonly point: Point | null;
  /** Of the columns that were named, by name; null where points were not asked for. */
  readonly points: Readonly<Record<string, string>> | null;
  /** The probability of the intervals. */
  readonly interval: number | null;
  /** Each missing value with its interval. */
  readonly cells: readonly CellDocument[] | null;
  /** log P of what is known of each row, nats; of a number in bins that of its bin. */
  readonly logEvidence: readonly number[] | null;
  /** Standard error of each; null of a row with one particle, which says nothing about its error. */
  readonly logEvidenceError: readonly (number | null)[] | null;
  /** log P of each row with its most probable values, nats; of a number in bins that of its bin. */
  readonly logProbability: readonly number[] | null;
  readonly path: string | null;
  /** What would be in the file, as CSV, where none was written. */
  readonly text?: string;
  /** @deprecated `text` has the same. */
  readonly values?: readonly (readonly number[])[];
  /** @deprecated `exactRows` says of how many rows. */
  readonly isExact?: boolean;
  /** @deprecated `smallestEffectiveSampleSize` has the least. */
  readonly effectiveSampleSize?: { readonly least: number; readonly mean: number } | null;
  /** @deprecated `logProbability` has the same. */
  readonly logLikelihood?: readonly number[];
  /** @deprecated `logProbability` has the same. */
  readonly logProbabilityOfCodes?: readonly number[];
}

/** What there is to say; what is left out is null. */
export type Completed = Pick<CompleteDocument, 'rows' | 'missing' | 'answer' | 'exactRows' | 'path'> &
  Partial<CompleteDocument>;

export function completeDocument(completed: Completed): CompleteDocument {
  return {
    smallestEffectiveSampleSize: null,
    draws: null,
    seed: null,
    samples: null,
    point: null,
    points: null,
    interval: null,
    cells: null,
    logEvidence: null,
    logEvidenceError: null,
    logProbability: null,
    ...completed,
  };
}

/** A cell that was filled in, for programs. */
export function cellDocument({ row, index, ...filled }: FilledCell, nameOf: (index: number) => string): CellDocument {
  return { row: row + 1, column: nameOf(index), ...filled };
}
