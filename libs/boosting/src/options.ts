import { Refusal } from '@orchard/refusal';

/** What one LogitBoost run needs to know beside its data. The paper's model has only the first three. */
export interface BoostingOptions {
  /** Most leaves of a tree, J >= 2. */
  readonly leaves: number;
  /** Most rounds, T >= 1: one tree each. */
  readonly rounds: number;
  /** ν in (0, 1]. */
  readonly shrinkage: number;
  /** Odds before the first tree: 1, or those of the training rows. */
  readonly start: 'half' | 'base-rate';
  /** Least summed weight W of a leaf; 0 = any above 0. */
  readonly minLeafWeight: number;
  /** Clamp of |γ|; Infinity = none. */
  readonly maxLeafValue: number;
  /** λ in `S²/(W+λ)` and `S/(W+λ)`; 0 = none. */
  readonly l2: number;
  /** Share of the predictors that a tree may use, in (0, 1]; drawn anew for each tree. */
  readonly featureFraction: number;
  /** Training stops at 1.5 times the best validated round so far + `patience` rounds; 0 = never. */
  readonly patience: number;
  /** Safe integer >= 0; only `featureFraction` draws from it. */
  readonly seed: number;
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
  if (options.start !== 'half' && options.start !== 'base-rate') refuse('start', '"half" or "base-rate"');
  for (const name of ['minLeafWeight', 'l2'] as const)
    if (!(options[name] >= 0 && options[name] < Infinity)) refuse(name, 'a finite number from 0 on');
  if (!(options.maxLeafValue > 0)) refuse('maxLeafValue', 'a number above 0, or Infinity for no clamp');
  share('featureFraction');
  whole('patience', 0);
  whole('seed', 0);
}
