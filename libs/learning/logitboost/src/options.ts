import { Refusal } from '@orchard/refusal';

/** What one LogitBoost run needs to know beside its data. The paper's model has only the first three. */
export interface BoostingOptions {
  /** Most leaves of a tree, J >= 2. */
  readonly leaves: number;
  /** Most rounds, T >= 1: one tree each. */
  readonly rounds: number;
  /** ν in (0, 1]. */
  readonly shrinkage: number;
  /** Odds before the first tree: 1, those of the training rows, or those of a logistic regression on the predictors. */
  readonly start: 'half' | 'base-rate' | 'logistic';
  /** λ of a logistic start. @default the one of `startPenalties` that validation rows like best */
  readonly startPenalty?: number | undefined;
  /**
   * By which derivatives of the likelihood a tree is found. `newton` is LogitBoost (paper §2): gains `S²/W`, leaf
   * values `S/W`. `first` is gradient boosting for the log-loss (Friedman 2001, "Greedy function approximation: a
   * gradient boosting machine", algorithm 5, "L2_TreeBoost"): the tree is fitted to the residuals by least squares,
   * gains `S²/n` with n the rows of a node, and its leaves take one Newton step, `S/W` as before. In the search `l2` is
   * added to n and `minLeafWeight` is a number of rows; in the leaf values λ is added to W, and their clamp and
   * shrinkage are the same.
   *
   * @default newton
   */
  readonly gradients?: 'newton' | 'first' | undefined;
  /** Least summed weight W of a leaf; 0 = any above 0. */
  readonly minLeafWeight: number;
  /** Clamp of |γ|; Infinity = none. */
  readonly maxLeafValue: number;
  /** λ in `S²/(W+λ)` and `S/(W+λ)`; 0 = none. */
  readonly l2: number;
  /** Share of the predictors that a tree may use, in (0, 1]; drawn anew for each tree. */
  readonly featureFraction: number;
  /**
   * How many of the training rows each tree grows on, >= 1, drawn anew for each (`row-sample.ts`): what splits gain and
   * what leaves are worth is by those alone (stochastic gradient boosting, Friedman 2002). Curves, starts and a refit
   * look at all rows. A target that no more rows reach has all of them in every tree. The data have to be arranged with
   * it. Does not go with a single tree.
   *
   * @default all
   */
  readonly rowsPerTree?: number | undefined;
  /** Training stops at 1.5 times the best validated round so far + `patience` rounds; 0 = never. */
  readonly patience: number;
  /**
   * A single tree instead of boosting (`single-tree.ts`), with this many rows of each value added to a leaf's own. Its
   * rounds are its splits, `leaves` − 1 of them at most; nothing of the other options is of any meaning to it.
   *
   * @default boosting
   */
  readonly pseudoCount?: number | undefined;
  /**
   * What the splits of a single tree gain: Brier score (`brier`, at odds of 1 the gain of eq. 3), or likelihood
   * (`likelihood`, thesis 5.1; `grow-likely-tree.ts`).
   *
   * @default brier
   */
  readonly criterion?: 'brier' | 'likelihood' | undefined;
  /**
   * Chance of a former tree to be left out while a round's tree is found, in (0, 1): see `dropout.ts`.
   *
   * @default none is left out, and trees count what they counted first
   */
  readonly dropout?: number | undefined;
  /**
   * The stored column at each position, where groups of exclusive columns are to be found and used
   * (`exclusive-columns.ts`). Goes with neither a logistic start nor a single tree.
   *
   * @default every column is learned without
   */
  readonly exclusive?: Uint32Array | undefined;
  /**
   * Most predictors that training looks at, >= 1: those with the most information by themselves
   * (`likely-predictors.ts`). Of columns alone, and with neither a logistic start nor a single tree. A refit follows
   * its trees, and looks at no others anyway.
   *
   * @default all columns before it
   */
  readonly maxPredictors?: number | undefined;
  /**
   * How many of `maxPredictors` are the nearest columns, however informative: where neighbours depend on each other, as
   * sites of a genome do, these are most of what there is to see, and where all are near nothing is screened.
   *
   * @default none
   */
  readonly near?: NearPredictors | undefined;
  /** Safe integer >= 0; only `featureFraction`, `rowsPerTree` and `dropout` draw from it. */
  readonly seed: number;
}

export interface NearPredictors {
  /** >= 1, at most `maxPredictors`. */
  readonly count: number;
  /** The stored column of each position: nearness is between these. */
  readonly ordering: Uint32Array;
  /** The position of each stored column. */
  readonly positions: Uint32Array;
}

/** @throws Refusal `invalid-option` naming the option that is out of range */
export function validateOptions(options: BoostingOptions): void {
  const refuse = (name: keyof BoostingOptions, expected: string): never => {
    throw new Refusal('invalid-option', {
      got: String(options[name]),
      expected,
      where: `option "${name}"`,
      remedy: 'Choose a value in that range.',
    });
  };
  const whole = (name: 'leaves' | 'rounds' | 'patience' | 'seed', least: number): void => {
    if (!Number.isSafeInteger(options[name]) || options[name] < least) refuse(name, `a whole number from ${least} on`);
  };
  const share = (name: 'shrinkage' | 'featureFraction'): void => {
    if (!(options[name] > 0 && options[name] <= 1)) refuse(name, 'a number above 0, up to 1');
  };
  whole('leaves', 2);
  whole('rounds', 1);
  share('shrinkage');
  if (!['half', 'base-rate', 'logistic'].includes(options.start)) refuse('start', '"half", "base-rate" or "logistic"');
  if (options.gradients !== undefined && !['newton', 'first'].includes(options.gradients))
    refuse('gradients', '"newton" or "first"');
  if (options.startPenalty !== undefined && !(options.startPenalty > 0 && options.startPenalty < Infinity))
    refuse('startPenalty', 'a finite number above 0');
  if (options.pseudoCount !== undefined && !(options.pseudoCount > 0 && options.pseudoCount < Infinity))
    refuse('pseudoCount', 'a finite number above 0');
  if (options.criterion !== undefined && !['brier', 'likelihood'].includes(options.criterion))
    refuse('criterion', '"brier" or "likelihood"');
  if (options.dropout !== undefined && !(options.dropout > 0 && options.dropout < 1))
    refuse('dropout', 'a number between 0 and 1');
  if (options.exclusive !== undefined && (options.start === 'logistic' || options.pseudoCount !== undefined))
    throw new Refusal('invalid-option', {
      got: `groups of exclusive columns, and ${options.start === 'logistic' ? 'a logistic start' : 'a single tree'}`,
      expected: 'boosting from "half" or "base-rate"',
      where: 'option "exclusive"',
      remedy: 'Leave one of them out.',
    });
  if (options.rowsPerTree !== undefined) {
    if (!Number.isSafeInteger(options.rowsPerTree) || options.rowsPerTree < 1)
      refuse('rowsPerTree', 'a whole number from 1 on');
    if (options.pseudoCount !== undefined)
      throw new Refusal('invalid-option', {
        got: `${options.rowsPerTree} rows for each tree, and a single tree`,
        expected: 'boosting, which has many trees',
        where: 'option "rowsPerTree"',
        remedy: 'Leave one of them out.',
      });
  }
  if (options.maxPredictors !== undefined) {
    if (!Number.isSafeInteger(options.maxPredictors) || options.maxPredictors < 1)
      refuse('maxPredictors', 'a whole number from 1 on');
    if (options.start === 'logistic' || options.pseudoCount !== undefined)
      throw new Refusal('invalid-option', {
        got: `at most ${options.maxPredictors} predictors, and ${options.start === 'logistic' ? 'a logistic start' : 'a single tree'}`,
        expected: 'boosting from "half" or "base-rate"',
        where: 'option "maxPredictors"',
        remedy: 'Leave one of them out.',
      });
  }
  if (options.near !== undefined) {
    const { count } = options.near;
    if (!Number.isSafeInteger(count) || count < 1 || !(count <= (options.maxPredictors ?? 0)))
      throw new Refusal('invalid-option', {
        got: `${count} nearest columns of at most ${options.maxPredictors ?? 0} predictors`,
        expected: 'a whole number from 1 to maxPredictors',
        where: 'option "near"',
        remedy: 'Choose a value in that range.',
      });
  }
  for (const name of ['minLeafWeight', 'l2'] as const)
    if (!(options[name] >= 0 && options[name] < Infinity)) refuse(name, 'a finite number from 0 on');
  if (!(options.maxLeafValue > 0)) refuse('maxLeafValue', 'a number above 0, or Infinity for no clamp');
  share('featureFraction');
  whole('patience', 0);
  whole('seed', 0);
}
