import type { Computations } from './compute.js';
import { reportOfEnding, type End } from './ending.js';
import { familyOfOneModel, type OneModel } from './family-of-one-model.js';
import type { Family } from './family.js';

/** What there is to say of a family whose models are made by one task of a worker, on one thread. */
export interface OneTask extends Pick<
  OneModel,
  'name' | 'description' | 'learns' | 'answers' | 'chosenByValidation' | 'words' | 'specification' | 'specify' | 'codec'
> {
  readonly kind: string;
  /** What a run is in meanwhile. */
  readonly state: string;
  /** Of built code, which exports `computations`: that of `end`, called as the kind is. */
  readonly module: URL;
  readonly computations: Computations['functions'];
  readonly end: End;
}

export function familyOfOneTask({ kind, state, module, computations, end, ...said }: OneTask): Family {
  return familyOfOneModel({
    ...said,
    kinds: [{ kind, pool: 'worker', state, folder: 'networks', counted: null }],
    computations: { module, functions: computations },
    report: reportOfEnding(end),
  });
}
