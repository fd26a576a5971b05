import type { LeftOut, OrderedFormat } from '@orchard/contracts';
import type { CopyFacts } from './copy-facts.js';

/**
 * What the report of a table says, as plain numbers and words: the page is drawn from these facts alone. Likelihoods
 * and losses are mean nats per row. Texts that come from the data are as they are: the page escapes and shortens them.
 */
export interface TableFacts extends RowsFacts {
  /** How the page is called; null where it is to say what the rows are. */
  readonly title: string | null;
  /** Where the rows of each split came from, in words, where that is known. */
  readonly sources: readonly (readonly [split: string, source: string])[];
  readonly runId: string;
  /** Identity of the training rows. */
  readonly sha256: string;
  /** Settings in the order in which they are listed, values already written out. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** What a model of any rows says of their columns, of the rows themselves and of its samples, beside the data. */
export interface RowsFacts {
  readonly warnings: readonly string[];
  readonly rows: { readonly train: number; readonly valid: number; readonly test: number | null };
  /** Which rows are held out: `test`, or `validation` where there are no test rows. */
  readonly heldOut: 'test' | 'validation';
  /** What the validation rows chose, so that their figures flatter; null for nothing. */
  readonly chosenByValidation: ChosenFacts | null;
  /** Variables in stored order. */
  readonly variables: readonly VariableFacts[];
  readonly leftOut: readonly LeftOut[];
  readonly marginals: MarginalsFacts;
  readonly associations: AssociationFacts;
  /** Of the model. */
  readonly family: string;
  /** The columns that others tell most about, those of the greatest gain first; null where it was not asked for. */
  readonly importance: readonly PredictedFacts[] | null;
  readonly draws: DrawFacts;
  readonly copies: CopyFacts;
  /** Null where the likelihood of a row has no share for each column. */
  readonly oddRows: OddRowsFacts | null;
}

/** What validation rows chose: `the rounds`. */
export interface ChosenFacts {
  readonly what: string;
  /** Their figures are those of models that were then made anew of all rows. */
  readonly isBeforeRefit: boolean;
  /** Their figures are those of single members of the mixture, each on its fold. @default false */
  readonly isByMembers?: boolean;
}

export interface VariableFacts {
  readonly name: string;
  readonly kind: 'binary' | 'categorical' | 'ordered';
  /** What its held-out figures are: of probabilities, or of densities. */
  readonly measure: 'mass' | 'density';
  /** What a density is per: `day`, `second`, else the unit of the column. Null for masses. */
  readonly unit: string | null;
  /** What the values of an ordered variable are; null of others. */
  readonly scale: 'numbers' | 'dates' | 'times' | 'durations' | null;
  /** Its first labels, most frequent first, or the least and the greatest value. */
  readonly values: readonly string[];
  /** `in steps of 25`; null where its values keep to none. */
  readonly steps: string | null;
  /** Labels, distinct values or cells. */
  readonly count: number;
  /** Training rows without a value. */
  readonly holes: number;
  /**
   * Place in the ordering, from 0: only variables before it predict it. Null of a mixture, in whose members all others
   * may.
   */
  readonly position: number | null;
  /** Held-out loss. */
  readonly loss: number;
  /** Held-out loss of the variable on its own, by its rates in the training rows over the same cells. */
  readonly ownLoss: number;
  /** The same of the cells alone, without what densities add: never negative. */
  readonly ownCodeLoss: number;
  /** Standard error of the gain `ownLoss - loss`. */
  readonly gainError: number;
}

export interface MarginalsFacts {
  /** Draws counted. */
  readonly draws: number;
  readonly seed: number;
  /** Where not all are shown, those that the draws miss most. */
  readonly shown: readonly MarginalFacts[];
}

export interface MarginalFacts {
  readonly name: string;
  readonly chart: HistogramFacts | LabelsFacts;
  /** Share of rows without a value; null where training had none. */
  readonly holes: Pair | null;
  /** Share of the rows that would have to change for both to be alike. */
  readonly difference: number;
  /** The same on average of as many rows drawn from the data's own shares. */
  readonly byChance: number;
}

/** A share of the training rows, and of the draws. */
export interface Pair {
  readonly data: number;
  readonly draws: number;
}

/** Shares in equally wide bars from `from` on. */
export interface HistogramFacts {
  readonly type: 'histogram';
  readonly format: OrderedFormat;
  readonly from: number;
  readonly width: number;
  readonly data: readonly number[];
  readonly draws: readonly number[];
  /** Beyond the bars. */
  readonly below: Pair;
  readonly above: Pair;
}

export interface LabelsFacts {
  readonly type: 'labels';
  readonly bars: readonly (Pair & { readonly label: string })[];
  /** Labels that have no bar, together. */
  readonly rest: (Pair & { readonly labels: number }) | null;
}

export interface AssociationFacts {
  /** Variables in the matrix, in stored order. */
  readonly names: readonly string[];
  /** How many were compared: more than are shown. */
  readonly compared: number;
  /** Groups that the values of each were coarsened to, at most. */
  readonly groups: number;
  /** Strengths from 0 to 1, element `one * names + other`. */
  readonly data: ArrayLike<number>;
  readonly draws: ArrayLike<number>;
  readonly rows: { readonly data: number; readonly draws: number };
  /** Of all pairs compared, those strongest in the data. */
  readonly strongest: readonly PairFacts[];
  /** Of all pairs compared, those in which data and draws differ most. */
  readonly missed: readonly PairFacts[];
  /** The first of `strongest`, as points. */
  readonly scatters: readonly ScatterFacts[];
}

/** Rows of the data and samples in one frame. */
export interface ScatterFacts {
  readonly x: AxisFacts;
  readonly y: AxisFacts;
  readonly data: readonly (readonly [x: number, y: number])[];
  readonly draws: readonly (readonly [x: number, y: number])[];
  /** Rows of each side; those that have no place on an axis are no points. */
  readonly rows: number;
}

/** Labels at whole numbers, null for a missing value; or a scale, with a place for missing values where any are. */
export type AxisFacts =
  | { readonly type: 'labels'; readonly name: string; readonly bands: readonly (string | null)[] }
  | {
      readonly type: 'scale';
      readonly name: string;
      readonly format: OrderedFormat;
      readonly from: number;
      readonly to: number;
      readonly missing: number | null;
    };

export interface PredictedFacts {
  readonly name: string;
  /** Nats per held-out row over the column on its own. */
  readonly gain: number;
  /** The columns that tell most of it, with their share of it; together at most 1. */
  readonly predictors: readonly PredictorFacts[];
}

export interface PredictorFacts {
  readonly name: string;
  readonly share: number;
  /** Whether it helps on held-out rows beyond what a column of noise would; null where that was not tested. */
  readonly beyondNoise: boolean | null;
}

export interface PairFacts {
  readonly one: string;
  readonly other: string;
  readonly data: number;
  readonly draws: number;
  /** Mutual information in the training rows, nats. */
  readonly nats: number;
}

export interface DrawFacts {
  readonly seed: number;
  readonly columns: readonly string[];
  /** Row by row; null where a row has no value. */
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface OddRowsFacts {
  /** Held-out rows looked at, and how many there are. */
  readonly rows: number;
  readonly of: number;
  /** Mean log-probability of their codes, nats per row. */
  readonly mean: number;
  readonly shown: readonly OddRowFacts[];
}

export interface OddRowFacts {
  /** Counted from 1 in the held-out rows. */
  readonly row: number;
  /** Anomaly score of its codes: nats beyond what is typical of their columns, summed. */
  readonly score: number;
  /** log P of its codes, nats. */
  readonly nats: number;
  readonly reasons: readonly ReasonFacts[];
  /** All of the row: columns and values. */
  readonly cells: readonly (readonly [name: string, value: string])[];
}

export interface ReasonFacts {
  readonly name: string;
  readonly value: string;
  /** P(value | the variables before it). */
  readonly probability: number;
  /** Share of the training rows with that value, counted half a row more. */
  readonly ownRate: number;
  /** Nats of surprise above the variable's mean. */
  readonly surprise: number;
  readonly expected: readonly ExpectedFacts[];
}

/** Values and the probability that they have together. */
export interface ExpectedFacts {
  readonly value: string;
  readonly probability: number;
}
