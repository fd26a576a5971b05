import type { TabularModel } from '@orchard/model';
import type { SampleAnswer } from './row-documents.js';

/** Whether rows follow the rules that the model was trained with; nothing where it keeps none. */
export function rulesSaid({ table }: TabularModel, followed: boolean): Pick<SampleAnswer, 'rules'> {
  if (table.rules === undefined) return {};
  return { rules: { followed, rules: table.rules.map(({ words }) => words) } };
}
