import { RuledModel, rulesOf, type Rule, type RuledRows, type TabularModel } from '@orchard/model';
import { RuledMixture } from './ruled-mixture.js';
import { TableMixture } from './table-mixture.js';

/** A model under rules: a mixture is ruled member by member. @throws ModelError for rules that contradict each other */
export function underRules(model: TabularModel, rules: readonly Rule[]): RuledRows {
  return model instanceof TableMixture ? new RuledMixture(model, rules) : new RuledModel(model, rules);
}

/** A model under the rules that it was trained with; null where it keeps none. */
export function underKeptRules(model: TabularModel): RuledRows | null {
  const { rules = [] } = model.table;
  return rules.length === 0 ? null : underRules(model, rulesOf(model.table, rules, null, model.offsets));
}
