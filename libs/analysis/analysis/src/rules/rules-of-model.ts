import type { Rule, RuledRows } from '@orchard/model';

/** Rules of a model, and the model under them. */
export interface RulesOfModel {
  readonly rules: readonly Rule[];
  readonly ruled: RuledRows;
}
