import type { KeptRule } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import { underRules } from '@orchard/members';
import { rulesOf, type Rule, type RuledRows, type TabularModel } from '@orchard/model';

/** Rules of a model, and the model under them. */
export interface RulesOfModel {
  readonly rules: readonly Rule[];
  readonly ruled: RuledRows;
}

/**
 * What holds of every row for a program that asks: rules that the model was trained with, unless it says false, and
 * those that it says; null where there are none.
 *
 * @throws ModelError for what is not a rule of this model, and for combinations that it does not keep
 */
export function rulesAsked(model: TabularModel, asked: readonly string[] | false = []): RulesOfModel | null {
  const said = asked === false ? [] : [...(model.table.rules ?? []), ...asked];
  return said.length === 0 ? null : ruledBy(model, said, null);
}

/**
 * A model under rules.
 *
 * @param training rows whose combinations are those that may be; null where they are not at hand
 * @throws ModelError for what is not a rule of this model
 */
export function ruledBy(
  model: TabularModel,
  said: readonly (string | KeptRule)[],
  training: BitMatrix | null,
): RulesOfModel {
  const rules = rulesOf(model.table, said, training, model.offsets);
  return { rules, ruled: underRules(model, rules) };
}
