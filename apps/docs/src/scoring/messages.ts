import type { NewCells, Outlier } from '@orchard/model';

/** What is shown of a model that was opened. */
export interface OpenedModel {
  /** Of its file. */
  readonly name: string;
  readonly family: string;
  /** Whether its rows are those of a table, not of 0 and 1 alone. */
  readonly isOfTable: boolean;
  /** Null where the training rows had no names. */
  readonly columns: readonly string[] | null;
  readonly dimensions: number;
  /** Nats per row of the rows that chose its size; null where there were none. */
  readonly validation: number | null;
  /** Whether likelihoods are lower bounds. */
  readonly isBound: boolean;
}

/** What is shown of a file of rows that was scored. */
export interface ScoredRows {
  /** Of the file. */
  readonly name: string;
  readonly rows: number;
  /** Nats per row. */
  readonly mean: number;
  /** Null for a single row. */
  readonly standardError: number | null;
  /** The part of {@link mean} that depends on the units of the columns; null where all are masses. */
  readonly densities: number | null;
  /** Rows with unknown values, and the greatest standard error of what was integrated out. */
  readonly unknown: { readonly rows: number; readonly error: number };
  readonly newCells: readonly NewCells[];
  /** The most unusual first. */
  readonly worst: readonly Outlier[];
  /** Rows whose cells stand in the list that is downloaded. */
  readonly explained: number;
  /** What was found out about the file and decided, one sentence each. */
  readonly notes: readonly string[];
}

export interface RowScore {
  /** Counted from 1. */
  readonly row: number;
  readonly score: number;
  readonly logLikelihood: number;
}

/** What could not be done, and what to do about it. */
export interface Refused {
  readonly problem: string;
  readonly remedy: string;
}

/** What the page asks of the worker. Each is answered by a reply of the same name, or by `refused`. */
export type Question =
  | { readonly ask: 'model'; readonly file: File }
  | { readonly ask: 'rows'; readonly file: File }
  | { readonly ask: 'some'; readonly from: number; readonly count: number }
  | { readonly ask: 'list' };

export type Reply =
  | { readonly reply: 'model'; readonly model: OpenedModel }
  | { readonly reply: 'rows'; readonly scored: ScoredRows }
  | { readonly reply: 'some'; readonly from: number; readonly some: readonly RowScore[] }
  | { readonly reply: 'list'; readonly csv: Blob }
  | { readonly reply: 'progress'; readonly stage: 'scoring' | 'explaining'; readonly share: number }
  | { readonly reply: 'refused'; readonly of: Question['ask']; readonly refused: Refused };
