import type { Table } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import type { BinaryMatrix } from '../port/binary-matrix.js';
import type { CompleteOptions, Completion } from '../port/completion.js';
import type { DensityModel, Explained } from '../port/density-model.js';
import type { Score } from '../port/score.js';
import type { BlanksAs } from './evidence.js';

/** What is allowed of variables beyond known codes, by variable: how far each code is, 0 to 1. */
export type Given = ReadonlyMap<number, { readonly weights: ArrayLike<number> }>;

/**
 * Particles per row unless the caller says how many. The evidence of males errs (rms between 6 seeds, 200 test rows, 32
 * leaves, 150 rounds) by .11, .24, .23 nats at 25, 50, 75 % of the cells unknown with 256 of them, and by .05, .10, .10
 * with 1,024.
 */
export const PARTICLES_OF_TABLES = 1024;

/** Particles per row that a model is usually asked with. */
export function usualParticles({ particles = PARTICLES_OF_TABLES }: TabularModel): number {
  return particles;
}

/** What completions of a table's rows are asked with. */
export interface TableCompletionOptions extends CompleteOptions {
  readonly samples: number;
  /** Completions that each row is given. */
  readonly draws: number;
  /**
   * Whether draws are looked at cell by cell, as for points: they are spread evenly over what a row may be, and a
   * mixture shares them out among its members more evenly. @default false: independent, from the joint distribution
   */
  readonly forCells?: boolean;
  /** Of variables of which more is known than nothing, and less than a value. */
  readonly given?: Given;
  /** What blanks are drawn as. @default 'values' */
  readonly blanksAs?: BlanksAs;
}

/**
 * A model of a table, whatever its family: rows are the codes of its variables (`@orchard/dataset`), likelihoods those
 * of the codes, to which densities add `logDensityIn` of the values. Two models of the same table are compared by them.
 * V is the number of variables.
 *
 * An unknown value is filled in with a value, never with "missing" or "(other)". `fillBlanks` asks so in two steps, of
 * which the first may leave it missing (`blanksAs`).
 */
export interface TabularModel extends DensityModel, Explained {
  /**
   * The model of rows of 0 and 1 that is asked in this way. Whole rows are packed: what asks it directly is faster.
   *
   * @default the model is of a table
   */
  readonly ofBits?: DensityModel;
  /** Particles per row that it is usually asked with. @default PARTICLES_OF_TABLES */
  readonly particles?: number;
  readonly table: Table;
  /** V. */
  readonly variables: number;
  /** Where the codes of each variable are in a row. */
  readonly offsets: Uint32Array;
  /**
   * Variables in an order in which each is predicted by those before it; null of a mixture, whose members each have
   * their own.
   */
  readonly ordering: Uint32Array | null;
  /**
   * Whether each variable looks at the predictor bits of those before it and at nothing else, so that codes of equal
   * bits are alike to it. @default false: it may tell any two codes apart
   */
  readonly looksAtBits?: boolean;
  /**
   * log P(code | the codes that predict it), nats, which sum to the row's: element `row * V + variable`.
   *
   * @param of only these variables are wanted: what others have is not to be read, and may be 0
   */
  cellLogLikelihoods(matrix: BinaryMatrix, of?: ReadonlySet<number>): Float64Array;
  /** A variable, and those whose conditionals depend on it. @default any may */
  dependentOn?(index: number): ReadonlySet<number>;
  /**
   * What `score` says of the same rows several times, in which the values of one variable alone are dealt anew: what
   * does not depend on them is worked out once.
   */
  scoresOfDeals?(deals: readonly BitMatrix[], dealt: number): Iterable<Score>;
  /** P(code | the codes that predict it) of one variable in each row: element `row * codes + code`. */
  distributionOf(index: number, matrix: BinaryMatrix): Float64Array;
  /**
   * The same of one variable after the other, where a model knows them together.
   *
   * @param of the variables, in the order that is wanted. @default all
   */
  distributionsInTurn?(matrix: BinaryMatrix, of?: readonly number[]): Iterable<Float64Array>;
  /**
   * log P(code, all other codes of the row) of each code of a variable, nats: element `row * codes + code`. Of a model
   * that is more than conditionals of the codes before, or knows which of them a code changes; others are asked for
   * their likelihoods.
   *
   * @param matrix stays as it is while variables are asked for
   */
  jointOfRows?(matrix: BitMatrix): (index: number) => Float64Array;
  /** Several completions of each row. Of a variable all bits are known, or none. */
  completions(values: BinaryMatrix, known: BinaryMatrix, options: TableCompletionOptions): readonly Completion[];
  /** The code of one variable in one row of codes. */
  codeOf(matrix: BitMatrix, row: number, index: number): number;
  /** Rows of zeros with the table's meaning. */
  emptyRows(count: number): BitMatrix;
}

/** Of each variable its distribution given what is known of its row. */
export interface CodeDistributions {
  /** Of each variable P(code | what is known): element `row * codes + code`. */
  readonly probabilities: readonly Float64Array[];
  /** log P(known values) of each row, nats, what is unknown summed out. */
  readonly logEvidence: Float64Array;
}

/**
 * A model of a table that says of any unknown variables how they are distributed, exactly; its completions are exact
 * draws.
 */
export interface ExactOfTable {
  distributions(values: BinaryMatrix, known: BinaryMatrix): CodeDistributions;
}

/** P(code | the codes that predict it) of some variables, one after the other: element `row * codes + code`. */
export function* distributionsOf(
  model: TabularModel,
  rows: BitMatrix,
  of: readonly number[],
): Generator<Float64Array, void> {
  if (model.distributionsInTurn !== undefined) yield* model.distributionsInTurn(rows, of);
  else for (const index of of) yield model.distributionOf(index, rows);
}

/** What `score` says of the same rows several times: of each deal by itself, unless the model knows better. */
export function* scoresOfDeals(
  model: TabularModel,
  deals: readonly BitMatrix[],
  dealt: number,
): Generator<Score, void> {
  if (model.scoresOfDeals !== undefined) yield* model.scoresOfDeals(deals, dealt);
  else for (const deal of deals) yield model.score(deal, { top: 0 });
}

export function isExactOfTable<Model extends DensityModel>(model: Model): model is Model & ExactOfTable {
  return 'distributions' in model;
}
