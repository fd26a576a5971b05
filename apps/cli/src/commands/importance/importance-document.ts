import type { JudgedPredictors } from '@orchard/model';
import { columnDocument, type ColumnDocument } from '../../output/column-document.js';

/** A column, and what another is predicted from by it. */
export interface Predictor {
  /** The column's place in the model. */
  readonly index: number;
  /** Of the gain. */
  readonly share: number;
  /** Whether it helps on held-out rows beyond what a column of noise would; null where that was not tested. */
  readonly beyondNoise: boolean | null;
}

/** What one column is predicted from. */
export interface ExplainedColumn {
  readonly index: number;
  /** Mean nats per row over the column's own rates, on held-out rows; null where there are none to judge by. */
  readonly gain: number | null;
  /** Whether that is beyond noise; only then are there predictors. Null where nothing was there to judge by. */
  readonly beyondNoise: boolean | null;
  /** The strongest first; none of a column that is predicted no better than noise. */
  readonly predictors: readonly Predictor[];
  /** How many there are, named or not. */
  readonly predictorsInAll: number;
}

/** Which rows decided what is noise, and how. */
export interface JudgedBy {
  /** `data`: rows of the command line. `validation` rows have chosen the rounds, which the judgement allows for. */
  readonly split: 'test' | 'validation' | 'data';
  readonly rows: number;
  /** Of the rows that are given; null where each counts once. */
  readonly sumOfWeights: number | null;
  /** Whether the model before its refit, or before it was trained again, was judged. */
  readonly beforeRefit: boolean;
  /** Where the base rates come from that the gains are over. */
  readonly rates: 'training rows' | 'start of the network' | 'the held-out rows';
  /** Nats over all rows that a column takes to be beyond noise. */
  readonly neededEvidence: number;
  /** The chance, at most, that one of as many independent columns would get there. */
  readonly chance: number;
}

/** What the columns of a model are predicted from, whatever its kind. */
export interface Explanation {
  readonly names: readonly string[] | null;
  /** Those that were asked for, in the order of the model. */
  readonly columns: readonly ExplainedColumn[];
  /** Columns that nothing is predicted from. */
  readonly irrelevant: readonly number[];
  /** Null where there were no held-out rows. */
  readonly judgedBy: JudgedBy | null;
  readonly predictorsJudged: JudgedPredictors | null;
  /** How it was judged, for people. */
  readonly judgement: string;
  /** The columns in the order in which the whole matrix of shares has them. */
  readonly order: readonly number[];
  /** The shares of all columns in one of them, by the column's place in the model. */
  sharesOf(index: number): Float64Array;
}

interface PredictorDocument extends ColumnDocument, Omit<Predictor, 'index'> {
  /** @deprecated `name` has the same. */
  readonly variable?: string;
}

interface ExplainedDocument extends ColumnDocument, Omit<ExplainedColumn, 'index' | 'predictors'> {
  readonly predictors: readonly PredictorDocument[];
  /** @deprecated `name` has the same. */
  readonly variable?: string;
}

/** What `importance` says, of every kind of model and of rows. */
export interface ImportanceDocument {
  readonly columns: readonly ExplainedDocument[];
  /** Columns that nothing is predicted from. */
  readonly irrelevant: readonly ColumnDocument[];
  /** Where the whole matrix of shares was written; null where it was not. */
  readonly path: string | null;
  readonly judgedBy: JudgedBy | null;
  readonly predictorsJudged: { readonly rows: number; readonly neededEvidence: number } | null;
  /** @deprecated `columns` has the same. */
  readonly dimensions?: readonly ExplainedDocument[];
  /** @deprecated `columns` has the same. */
  readonly variables?: readonly ExplainedDocument[];
  /** @deprecated `judgedBy.rows` has the same. */
  readonly rows?: number | null;
  /** @deprecated `judgedBy.split` has the same. */
  readonly split?: JudgedBy['split'] | null;
  /** @deprecated `judgedBy.neededEvidence` has the same. */
  readonly neededEvidence?: number;
}

export function importanceDocument(
  { names, columns, irrelevant, judgedBy, predictorsJudged }: Explanation,
  path: string | null,
): ImportanceDocument {
  const named = (index: number): ColumnDocument & { readonly variable?: string } => ({
    ...columnDocument(index, names),
    ...(names !== null && { variable: names[index]! }),
  });
  const explained = columns.map(({ index, predictors, ...figures }) => ({
    ...named(index),
    ...figures,
    predictors: predictors.map(({ index: predictor, ...figures }) => ({ ...named(predictor), ...figures })),
  }));
  const { rows = null, split = null, neededEvidence } = judgedBy ?? {};
  return {
    columns: explained,
    irrelevant: irrelevant.map((index) => columnDocument(index, names)),
    path,
    judgedBy,
    predictorsJudged:
      predictorsJudged === null ? null : { rows: predictorsJudged.rows, neededEvidence: predictorsJudged.needed },
    dimensions: explained,
    variables: explained,
    rows,
    split,
    ...(neededEvidence !== undefined && { neededEvidence }),
  };
}
