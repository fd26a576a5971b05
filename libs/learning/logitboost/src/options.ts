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

/** @throws Refusal `invalid-option` naming the option that is out of range, or does not go with another */
export function validateOptions(options: BoostingOptions): void {
  const check = <Name extends keyof BoostingOptions>(
    name: Name,
    expected: string,
    isValid: (value: NonNullable<BoostingOptions[Name]>) => boolean,
  ): void => {
    const value = options[name];
    if (value !== undefined && !isValid(value)) throw refusalOf(name, String(value), expected);
  };
  const { start, pseudoCount, exclusive, rowsPerTree, maxPredictors, near } = options;
  const unboosted = start === 'logistic' ? 'a logistic start' : pseudoCount === undefined ? null : 'a single tree';
  const boosted = 'boosting from "half" or "base-rate"';
  check('leaves', 'a whole number from 2 on', isWholeFrom(2));
  check('rounds', 'a whole number from 1 on', isWholeFrom(1));
  check('shrinkage', 'a number above 0, up to 1', isShare);
  check('start', '"half", "base-rate" or "logistic"', (word) => ['half', 'base-rate', 'logistic'].includes(word));
  check('gradients', '"newton" or "first"', (word) => ['newton', 'first'].includes(word));
  check('startPenalty', 'a finite number above 0', isPositive);
  check('pseudoCount', 'a finite number above 0', isPositive);
  check('criterion', '"brier" or "likelihood"', (word) => ['brier', 'likelihood'].includes(word));
  check('dropout', 'a number between 0 and 1', (rate) => rate > 0 && rate < 1);
  if (exclusive !== undefined && unboosted !== null)
    throw refusalOf('exclusive', `groups of exclusive columns, and ${unboosted}`, boosted, LEAVE_OUT);
  check('rowsPerTree', 'a whole number from 1 on', isWholeFrom(1));
  if (rowsPerTree !== undefined && pseudoCount !== undefined) {
    const got = `${rowsPerTree} rows for each tree, and a single tree`;
    throw refusalOf('rowsPerTree', got, 'boosting, which has many trees', LEAVE_OUT);
  }
  check('maxPredictors', 'a whole number from 1 on', isWholeFrom(1));
  if (maxPredictors !== undefined && unboosted !== null)
    throw refusalOf('maxPredictors', `at most ${maxPredictors} predictors, and ${unboosted}`, boosted, LEAVE_OUT);
  const most = maxPredictors ?? 0;
  if (near !== undefined && !(isWholeFrom(1)(near.count) && near.count <= most)) {
    const got = `${near.count} nearest columns of at most ${most} predictors`;
    throw refusalOf('near', got, 'a whole number from 1 to maxPredictors');
  }
  check('minLeafWeight', 'a finite number from 0 on', isFiniteFromZero);
  check('l2', 'a finite number from 0 on', isFiniteFromZero);
  check('maxLeafValue', 'a number above 0, or Infinity for no clamp', (value) => value > 0);
  check('featureFraction', 'a number above 0, up to 1', isShare);
  check('patience', 'a whole number from 0 on', isWholeFrom(0));
  check('seed', 'a whole number from 0 on', isWholeFrom(0));
}

const LEAVE_OUT = 'Leave one of them out.';

function refusalOf(
  name: keyof BoostingOptions,
  got: string,
  expected: string,
  remedy = 'Choose a value in that range.',
): Refusal {
  return new Refusal('invalid-option', { got, expected, where: `option "${name}"`, remedy });
}

const isWholeFrom =
  (least: number) =>
  (value: number): boolean =>
    Number.isSafeInteger(value) && value >= least;
const isShare = (value: number): boolean => value > 0 && value <= 1;
const isPositive = (value: number): boolean => value > 0 && value < Infinity;
const isFiniteFromZero = (value: number): boolean => value >= 0 && value < Infinity;
