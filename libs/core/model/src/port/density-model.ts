import type { BitMatrix } from '@orchard/dataset';
import type { BinaryMatrix } from './binary-matrix.js';
import type { CompleteOptions, Completion } from './completion.js';
import type { ModelHead } from '../file/model-head.js';
import type { NumberedSampler } from './row-sampler.js';
import type { Score } from './score.js';

/**
 * What every kind of model answers: a distribution over rows of D binary columns. Code that scores, samples, completes
 * or serves a model needs nothing else; what a family can say beyond it are the capabilities below.
 *
 * Rows come and go in stored column order. Likelihoods are in nats. A model is immutable, a row's answer is the same
 * bits alone and in any batch, and a draw depends on the seed and the row's number alone. All methods throw a
 * ModelError `invalid-argument` for rows of another width and for options out of range.
 *
 * `density-model.suite.ts` says all this as tests that the models of every family pass.
 */
export interface DensityModel extends ModelHead {
  /**
   * Where this is present, every likelihood of the model is a lower bound on log P(row), and it completes no rows, as
   * nothing can be summed out. Code that prints such a likelihood says so.
   * @default likelihoods are log P(row) itself
   */
  readonly likelihoodIs?: 'lower bound';

  /** log P(row) of each row. */
  logLikelihood(matrix: BinaryMatrix): Float64Array;

  /**
   * What makes rows odd: log P of each, the surprise of each value, and the `top` most surprising columns.
   * A family whose likelihood has no share for each column answers with an empty `surprise` and `top` 0.
   * @default top 5
   */
  score(matrix: BinaryMatrix, options?: { readonly top?: number }): Score;

  /**
   * P(1) of each value, given the columns that predict it: element `row * D + column`.
   *
   * @default by the surprises of `score`: those of a mixture are scaled to sum to its likelihood and no such logarithms
   */
  valueRates?(matrix: BinaryMatrix): Float64Array;

  /** `count` independent draws. */
  sample(count: number, seed: number): BitMatrix;

  /** The rows of `sample`, batch after batch. */
  sampler(seed: number): NumberedSampler;

  /**
   * Draws what is not known of each row, given what is, and says how probable the known values are, the others summed
   * out. `known` has a 1 for each value of `values` to keep; the others are ignored. `samples` are the particles a row,
   * where a family cannot draw exactly.
   * @default samples 256
   */
  complete(values: BinaryMatrix, known: BinaryMatrix, options: CompleteOptions): Completion;

  summary(): ModelSummary;

  /** The model file (FORMAT.md): the same model gives the same bytes everywhere. */
  toBytes(): Uint8Array;
}

/** A family adds its own figures beside these. */
export interface ModelSummary {
  readonly dimensions: number;
  /** What `inspect` prints, in the family's words: a name, and what is to be said under it. */
  readonly facts: readonly (readonly [name: string, words: string])[];
}

/** A model that can say what its columns are predicted from. */
export interface Explained {
  /** Each column's share in what the model knows of `column`, by stored column. */
  importanceOf(column: number): Float64Array;
  /** The stored columns, ascending, that nothing is predicted from. */
  irrelevantVariables(): Uint32Array;
}

/** A model that is a product of conditionals along an ordering. */
export interface Ordered {
  /** `ordering[position]` is the stored column that comes at that position. */
  readonly ordering: Uint32Array;
  /** The stored columns by what is left to say of each, given those before it. */
  entropyOrdering(direction: 'increasing' | 'decreasing'): Uint32Array;
}

/** Of each value its distribution given what is known of its row. */
export interface Marginals {
  /** P(1 | known values of the row): element `row * D + column`; 0 or 1 where the value is known. */
  readonly rates: Float64Array;
  /** log P(known values) of each row, nats, what is unknown summed out. */
  readonly logEvidence: Float64Array;
}

/** A model that says of any unknown values how they are distributed, exactly; its completions are exact draws. */
export interface Exact {
  marginals(values: BinaryMatrix, known: BinaryMatrix): Marginals;
}

/** A model that finds the most probable of all rows that fit what is known. */
export interface MostProbable {
  /** The completed rows, and log P of each. */
  mostProbable(
    values: BinaryMatrix,
    known: BinaryMatrix,
  ): { readonly matrix: BitMatrix; readonly logLikelihood: Float64Array };
}

export function isExplained<Model extends DensityModel>(model: Model): model is Model & Explained {
  return 'importanceOf' in model && 'irrelevantVariables' in model;
}

export function isOrdered<Model extends DensityModel>(model: Model): model is Model & Ordered {
  return 'ordering' in model && 'entropyOrdering' in model;
}

export function isExact<Model extends DensityModel>(model: Model): model is Model & Exact {
  return 'marginals' in model;
}

/** A model of trees, whose file is smaller once they are rounded. */
export interface Compactable {
  /** The same model with trees as files of version 5 hold them: a log-odds moves by at most 2^-16 per tree. */
  compacted(): DensityModel;
}

export function isCompactable<Model extends DensityModel>(model: Model): model is Model & Compactable {
  return 'compacted' in model;
}

export function isBound({ likelihoodIs }: Pick<DensityModel, 'likelihoodIs'>): boolean {
  return likelihoodIs !== undefined;
}

export function isMostProbable<Model extends DensityModel>(model: Model): model is Model & MostProbable {
  return 'mostProbable' in model;
}
