import type { Table } from '@orchard/contracts';
import { codeOffsets, type BitMatrix } from '@orchard/dataset';
import { rulesOf, type Rule } from '@orchard/model';
import type { Splits } from '@orchard/pipeline';
import { asUsageOfRules, refuseRulesOfBits } from './rules.js';

/**
 * The splits of a table whose model keeps rules that hold of every row: combinations are those of the training rows.
 *
 * @throws UsageError for what is not a rule of this table
 */
export function withRules(
  splits: Splits,
  said: readonly string[],
): { readonly splits: Splits; readonly rules: readonly Rule[] } {
  const { train, valid, test } = splits;
  const { table = refuseRulesOfBits() } = train.columns;
  const rules = rulesOrUsage(table, said, train);
  const kept = rules.map((rule) => rule.kept);
  const keeping = (matrix: BitMatrix): BitMatrix => matrix.withColumns(matrix.columns.under(kept));
  return {
    splits: { train: keeping(train), valid: keeping(valid), test: test === null ? null : keeping(test) },
    rules,
  };
}

function rulesOrUsage(table: Table, said: readonly string[], train: BitMatrix): readonly Rule[] {
  try {
    return rulesOf(table, said, train, codeOffsets(table));
  } catch (error) {
    throw asUsageOfRules(error);
  }
}
